"""Connect four, the smallest game that the search can play.

C4-1: two players have a board of seven columns and six rows. C4-2: in turn each drops a man into a column that is not
full. C4-3: four in a row, in a column or on a diagonal win. C4-4: a full board is a draw.
"""
from libc.string cimport memset
from railwright.cext.game cimport OVER, Board, Field, GameOps, Move, Position, move_a, new_board, pack

# --- state -----------------------------------------------------------------------
cdef void start(const void* board, int n_players, const int* options, void* state) noexcept nogil:
    """C4-1: nobody has a man on the board."""
    cdef State* s = <State*>state
    memset(s, 0, sizeof(State))
    s.winner = NOBODY

cdef const char* settle(const void* board, void* state) noexcept nogil:
    """Positions are reached by play alone."""
    return b"connect four cannot be set up; expected moves from its start"

# --- legal moves -----------------------------------------------------------------
cdef int to_move(const void* board, const void* state) noexcept nogil:
    cdef const State* s = <const State*>state
    return OVER if s.winner != NOBODY or s.n_played == N_CELLS else s.n_played & 1

cdef int legal(const void* board, const void* state, Move* out) noexcept nogil:
    """C4-2: the columns that are not full."""
    cdef const State* s = <const State*>state
    cdef int column, n = 0
    for column in range(N_COLUMNS):
        out[n] = pack(0, column, 0)
        n += s.height[column] < N_ROWS
    return n

# --- apply -----------------------------------------------------------------------
cdef void apply(const void* board, void* state, Move move) noexcept nogil:
    """C4-2: the man falls onto those below. C4-3: it may win."""
    cdef State* s = <State*>state
    cdef int player = s.n_played & 1, column = move_a(move)
    s.men[player] |= <uint64_t>1 << (COLUMN_BITS * column + s.height[column])
    s.height[column] += 1
    s.n_played += 1
    if has_four(s.men[player]):
        s.winner = player

cdef inline bint has_four(uint64_t men) noexcept nogil:
    """C4-3: up, along, and on both diagonals."""
    return (in_line(men, 1) | in_line(men, COLUMN_BITS) | in_line(men, COLUMN_BITS - 1) | in_line(men, COLUMN_BITS + 1)) != 0

cdef inline uint64_t in_line(uint64_t men, int way) noexcept nogil:
    """The first man of each four that stand `way` bits apart."""
    cdef uint64_t pairs = men & (men >> way)
    return pairs & (pairs >> 2 * way)

# --- end and score ---------------------------------------------------------------
cdef void scores(const void* board, const void* state, int* score) noexcept nogil:
    """C4-3, C4-4: a point for the winner."""
    cdef const State* s = <const State*>state
    cdef int player
    for player in range(N_PLAYERS):
        score[player] = s.winner == player

# --- notation --------------------------------------------------------------------
cdef State* AT = NULL
cdef Field[3] FIELDS
FIELDS[:] = [
    Field(b"men", <size_t>&AT.men, 8, N_PLAYERS, False),
    Field(b"winner", <size_t>&AT.winner, 1, 1, False),
    Field(NULL, 0, 0, 0, False),
]

cdef GameOps OPS = GameOps(
    name=b"connect-four", state_size=sizeof(State), key_size=sizeof(State), fields=&FIELDS[0],
    start=start, settle=settle, to_move=to_move, legal=legal, chance=NULL, accepts=NULL, apply=apply,
    scores=scores, tiebreak=NULL, view=NULL, determinize=NULL,
    evaluate=NULL, candidates=NULL, priors=NULL, advance=NULL)

def new() -> Position:
    """The start of a game."""
    return Position(new_board(&OPS, 1, N_PLAYERS, N_PLAYERS), N_PLAYERS)

def drop(int column) -> int:
    """The move that drops a man into a column."""
    return pack(0, column, 0)
