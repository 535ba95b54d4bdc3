"""What all games share: the packed move, the table of functions that each game fills, and one Position class."""
from libc.stdint cimport uint32_t, uint64_t
from railwright.cext.rng cimport Rng

cpdef enum:
    MAX_PLAYERS = 6
    MAX_MOVES = 8192            # options of one decision: every whole-dollar bid up to MAX_CASH, and a pass
    MAX_CASH = 8190
    STATE_WORDS = 1344          # every buffer for a state has this size
    MAX_STATE = 10752           # the same in bytes
    MAX_OPTIONS = 16            # the rules' options of a game, as small numbers
    CHANCE = -1                 # to_move: nobody decides, the dice or the deck do
    OVER = -2                   # to_move: the game is over
    BY_BOARD = -1               # an option that was not given: the rules' default

ctypedef uint32_t Move          # packed by `pack`: a kind and two operands

cdef inline Move pack(int kind, int a, int b) noexcept nogil:
    return (<Move>kind << 24) | (<Move>a << 12) | <Move>b

cdef inline int move_kind(Move m) noexcept nogil:
    return m >> 24

cdef inline int move_a(Move m) noexcept nogil:
    return (m >> 12) & 0xFFF

cdef inline int move_b(Move m) noexcept nogil:
    return m & 0xFFF

cdef inline int move_amount(Move m) noexcept nogil:
    """The whole operand, for amounts: a move has either two small operands or one large one."""
    return m & 0xFFFFFF

cdef inline Move pack_amount(int kind, int amount) noexcept nogil:
    return pack(kind, amount >> 12, amount & 0xFFF)

cdef struct Field:              # a field of a state that the outside may read
    const char* name
    size_t offset
    int width                   # bytes of one entry: 1, 2 or 4 signed, 8 a set of bits
    int count
    bint derived                # follows from the others: read, but never loaded

cdef struct GameOps:
    const char* name
    size_t state_size
    size_t key_size             # the leading bytes that decide how play goes on; behind them memory for people
    const Field* fields         # ended by a field without name
    # --- the rules ---
    void (*start)(const void* board, int n_players, const int* options, void* s) noexcept nogil
    const char* (*settle)(const void* board, void* s) noexcept nogil  # after loading fields: checks them, derives the rest
    int (*to_move)(const void* board, const void* s) noexcept nogil   # player, CHANCE or OVER
    int (*legal)(const void* board, const void* s, Move* out) noexcept nogil      # decisions, or chance outcomes
    int (*chance)(const void* board, const void* s, Move* out, int* weight) noexcept nogil
    bint (*accepts)(const void* board, const void* s, Move m) noexcept nogil      # NULL: just what `legal` lists
    void (*apply)(const void* board, void* s, Move m) noexcept nogil
    void (*scores)(const void* board, const void* s, int* score) noexcept nogil
    void (*tiebreak)(const void* board, const void* s, int* key) noexcept nogil   # NULL: equal scores share the win
    # --- what is hidden (NULL: nothing) ---
    void (*view)(const void* board, void* s, int observer) noexcept nogil         # erase what `observer` cannot know
    # fill a view at random: without weights each world is as likely as the next, with them as likely as a player thinks it is
    void (*determinize)(const void* board, void* s, int observer, const float* weight, Rng* rng) noexcept nogil
    # --- what a player thinks ---
    void (*evaluate)(const void* board, const void* s, const float* weight, float* value) noexcept nogil
    int (*candidates)(const void* board, const void* s, const float* weight, Move* out) noexcept nogil  # NULL: `legal`
    void (*priors)(const void* board, const void* s, const Move* m, int n, const float* weight, float* p) noexcept nogil
    void (*advance)(const void* board, void* s, const float* weight, Rng* rng) noexcept nogil  # a playout's next step

cdef class Board:
    """The figures of a board, ready for the core; read-only once made."""
    cdef const GameOps* ops
    cdef void* data
    cdef int n_players_min, n_players_max

cdef class Position:
    """A board, and a state on it."""
    cdef readonly Board board
    cdef readonly int n_players
    cdef const GameOps* ops
    cdef void* state
    cdef Position blank(self)

cdef Field field(const char* name, const void* at, int width, int count, bint derived=*)
cdef Board new_board(const GameOps* ops, size_t size, int players_min, int players_max)
cdef uint64_t hash_state(const GameOps* ops, const void* s) noexcept nogil
cdef int winner_bits(const GameOps* ops, const void* board, const void* s, int n_players) noexcept nogil
cdef Move sample_chance(const GameOps* ops, const void* board, const void* s, Rng* rng) noexcept nogil
cdef int random_playout(const GameOps* ops, const void* board, void* s, Rng* rng, int limit) noexcept nogil
