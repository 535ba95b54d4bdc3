"""The search: an information-set Monte Carlo tree search for every game, with max^n values."""
from libc.stdint cimport int32_t, uint8_t, uint64_t
from railwright.cext.game cimport MAX_PLAYERS, GameOps, Move
from railwright.cext.rng cimport Rng

cpdef enum:
    MAX_DEPTH = 256             # nodes of one descent through the tree
    ROOT = 1                    # the root's index; node 0 and edge 0 stand for none
    NONE = 0
    LEAST_NODES = 64            # even in the smallest memory
    HISTORY_SLOTS = 4096
    LINE_SLOTS = 1 << 15
    W_TEMPERATURE = 0           # every game's first weight: points that make a lead 73 % sure while the game goes on
    W_SCALE = 1                 # every game's second weight: points of lead that count as a clear one

cpdef enum Opponents:
    SEARCHED                    # max^n: everybody has nodes and maximises his own entry
    SAMPLED                     # nodes for the player at the root alone; the others follow the game's policy

cdef struct Switches:           # each technique can be switched by its name
    float exploration           # PUCT's constant
    float urgency               # how far below its parent's value a move counts that was never tried
    float widening              # moves looked at: 2 + widening * visits^0.5; 0: all at once
    float history               # weight of the progressive history; 0: none
    float abstraction           # visits for which a line of one's own counts half as much as the node; 0: none
    float win, rank, margin     # the parts of the utility
    int playout                 # steps of a playout before the evaluation; -1: to the end; 0: evaluate at once
    int random                  # 1: playouts of uniformly random moves instead of the game's policy
    int priors                  # 1: the game's priors, 0: all moves alike
    int candidates              # 1: wide decisions thinned out by the game, 0: every legal move
    int opponents               # one of Opponents
    int paired                  # 1: the moves at the root are tried in the same worlds
    int proof                   # 1: the ends of games are proved backwards through the tree

cdef struct Outcome:            # what an iteration, or the mean of many, says of each player
    float value[MAX_PLAYERS]    # utility, from 0 to 1
    float win[MAX_PLAYERS]      # winning chance
    float score[MAX_PLAYERS]    # final score

cdef struct Node:               # a decision that was reached; in a game with secrets, all its worlds at once
    Outcome mean
    int32_t visits
    int32_t edge                # the first move, or NONE
    uint8_t is_expanded
    uint8_t is_open             # some legal move has no edge: nothing can be proved here
    uint8_t is_proven           # the mean is exact

cdef struct Edge:               # a move of a decision
    Move move
    float prior
    int32_t next                # the next move of the same decision, less likely or later found
    int32_t node                # where it leads, or NONE while it was never tried
    int32_t available           # how often it was legal when its decision was met

cdef struct Line:               # what a player did from the root on, and his next move: whatever the others did in between
    uint64_t key
    float value                 # mean utility for him
    int32_t visits

cdef struct Tree:
    const GameOps* ops
    const void* board
    const float* weight
    int n_players
    int observer                # the player at the root
    bint is_restricted          # only some of the root's moves are looked at
    bint is_fixed               # every decision has the same moves whenever it is met: no secrets, nothing sampled
    Switches use
    Node* node
    Edge* edge
    int32_t n_nodes, n_edges
    uint64_t room               # bytes that they may take together
    uint64_t iterations         # of this search
    uint64_t depths             # of its descents, added up
    int seldepth
    Rng rng
    uint64_t seed               # of the worlds, where they are paired
    float history[HISTORY_SLOTS]        # by player and move: mean utility
    int32_t history_visits[HISTORY_SLOTS]
    uint64_t own[MAX_PLAYERS]           # in this descent: each player's moves so far
    Line line[LINE_SLOTS]
