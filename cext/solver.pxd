"""The solver: exact max^n for positions near the end of a game without secrets."""
from libc.stdint cimport uint32_t, uint64_t
from railwright.cext.game cimport MAX_PLAYERS, GameOps, Move

cpdef enum:
    MOST_PLIES = 400            # deeper lines are given up

cdef struct Worth:              # what perfect play brings each player, in the mean where chance has a say
    float win[MAX_PLAYERS]      # share of the win; counts first
    float lead[MAX_PLAYERS]     # over the best rival; counts where the win does not decide
    float score[MAX_PLAYERS]

cdef struct Entry:
    uint64_t key                # 0: empty
    Move best
    Worth worth

cdef struct Solver:
    const GameOps* ops
    const void* board
    int n_players
    Entry* entry
    uint64_t mask               # of the table's indices
    uint64_t* state             # one state for each ply
    Move* move                  # the moves of all plies, one behind the other
    int* weight
    uint32_t most_moves
    uint64_t nodes, most_nodes
    double end                  # when the time is up
    int is_given_up
