"""What all games share: positions, perft, random playouts. No game knowledge lives here."""
from libc.stdint cimport int8_t, int16_t, int32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy
from railwright.cext cimport rng as random
from railwright.cext.rng cimport Rng

# --- chance, random play, perft: over the table of functions alone ---------------
cdef uint64_t hash_state(const GameOps* ops, const void* s) noexcept nogil:
    """A hash of the bytes that decide how play goes on."""
    cdef const char* bytes = <const char*>s
    cdef uint64_t word, h = 0
    cdef size_t i = 0, left
    while i < ops.key_size:
        word = 0
        left = ops.key_size - i
        memcpy(&word, bytes + i, 8 if left > 8 else left)
        h = random.mix(h ^ word)
        i += 8
    return h

cdef int winner_bits(const GameOps* ops, const void* board, const void* s, int n_players) noexcept nogil:
    """The players with the best score, of those the best by the tie-break, as a set of bits."""
    cdef int score[MAX_PLAYERS]
    cdef int key[MAX_PLAYERS]
    cdef int player, best, bits = 0
    ops.scores(board, s, score)
    best = 0
    for player in range(n_players):
        key[player] = 0
    if ops.tiebreak != NULL:
        ops.tiebreak(board, s, key)
    for player in range(1, n_players):
        if score[player] > score[best] or (score[player] == score[best] and key[player] > key[best]):
            best = player
    for player in range(n_players):
        if score[player] == score[best] and key[player] == key[best]:
            bits |= 1 << player
    return bits

cdef Move sample_chance(const GameOps* ops, const void* board, const void* s, Rng* rng) noexcept nogil:
    cdef Move outcome[MAX_MOVES]
    cdef int weight[MAX_MOVES]
    cdef int n = ops.chance(board, s, outcome, weight)
    cdef int i, total = 0, pick
    for i in range(n):
        total += weight[i]
    pick = random.below(rng, total)
    for i in range(n):
        pick -= weight[i]
        if pick < 0:
            return outcome[i]
    return outcome[n - 1]

cdef int random_playout(const GameOps* ops, const void* board, void* s, Rng* rng, int limit) noexcept nogil:
    """Plays uniformly random moves until the game is over, at most `limit`; how many were played."""
    cdef Move move[MAX_MOVES]
    cdef int played = 0, player, n
    while played < limit:
        player = ops.to_move(board, s)
        if player == OVER:
            break
        if player == CHANCE:
            ops.apply(board, s, sample_chance(ops, board, s, rng))
        else:
            n = ops.legal(board, s, move)
            ops.apply(board, s, move[random.below(rng, n)])
        played += 1
    return played

cdef uint64_t count_leaves(const GameOps* ops, const void* board, const void* s, int depth) noexcept nogil:
    cdef uint64_t state[STATE_WORDS]
    cdef Move move[MAX_MOVES]
    cdef uint64_t total = 0
    cdef int i, n
    if depth == 0 or ops.to_move(board, s) == OVER:     # a game that ends early is a leaf too
        return 1
    n = ops.legal(board, s, move)
    if depth == 1:
        return n
    for i in range(n):
        memcpy(state, s, ops.state_size)
        ops.apply(board, state, move[i])
        total += count_leaves(ops, board, state, depth - 1)
    return total

def unpack(Move move) -> tuple[int, int, int]:
    """The kind and the two operands of a move."""
    return move_kind(move), move_a(move), move_b(move)

cdef Field field(const char* name, const void* at, int width, int count, bint derived=False):
    """A field of a state; `at`: its place in one that lies at address 0."""
    return Field(name, <size_t>at, width, count, derived)

def random_below(uint64_t seed, uint64_t stream, int n) -> int:
    """A number from 0 to n - 1, the first that this stream of the seed draws."""
    cdef Rng rng
    random.seed(&rng, seed, stream)
    return random.below(&rng, n)

# --- boards ----------------------------------------------------------------------
cdef class Board:
    def __init__(self):
        raise TypeError("a Board is made by a game's make_board")

    def __dealloc__(self):
        free(self.data)

    def __reduce__(self):
        raise TypeError("a Board holds C memory: load it again from its file")

cdef Board new_board(const GameOps* ops, size_t size, int players_min, int players_max):
    """Room for a board's figures, blank."""
    assert ops.state_size <= MAX_STATE, f"{ops.name}: a state takes {ops.state_size} bytes, at most {MAX_STATE}"
    cdef Board board = Board.__new__(Board)
    board.ops = ops
    board.data = calloc(1, size)
    if board.data == NULL:
        raise MemoryError
    board.n_players_min, board.n_players_max = players_min, players_max
    return board

# --- positions -------------------------------------------------------------------
cdef class Position:
    def __cinit__(self, Board board not None, int n_players, options=()):
        cdef int option[MAX_OPTIONS]
        cdef int i
        if board.data == NULL:
            raise TypeError("the board is empty; expected one from make_board")
        if not board.n_players_min <= n_players <= board.n_players_max:
            raise ValueError(f"players {n_players}; expected {board.n_players_min} to {board.n_players_max}")
        self.board, self.ops, self.n_players = board, board.ops, n_players
        self.state = calloc(1, MAX_STATE)
        if self.state == NULL:
            raise MemoryError
        options = list(options)
        for i in range(MAX_OPTIONS):
            option[i] = options[i] if i < len(options) else BY_BOARD
        self.ops.start(board.data, n_players, option, self.state)

    def __dealloc__(self):
        free(self.state)

    cdef Position blank(self):
        return Position.__new__(Position, self.board, self.n_players)

    def copy(self) -> Position:
        cdef Position other = self.blank()
        memcpy(other.state, self.state, self.ops.state_size)
        return other

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        raise TypeError("a Position holds C memory: write it with `fields` and read it with `load`")

    def __eq__(self, other):
        if not isinstance(other, Position):
            return NotImplemented
        cdef Position that = other
        return (self.board is that.board and self.n_players == that.n_players
                and memcmp(self.state, that.state, self.ops.state_size) == 0)

    def __hash__(self):
        return hash_state(self.ops, self.state)

    # --- asking ---
    def to_move(self) -> int:
        """The player who decides, CHANCE, or OVER."""
        return self.ops.to_move(self.board.data, self.state)

    def legal(self) -> list[int]:
        """The moves of this decision, or the outcomes of this chance, in a fixed order."""
        cdef Move move[MAX_MOVES]
        cdef int i, n
        if self.to_move() == OVER:
            return []
        n = self.ops.legal(self.board.data, self.state, move)
        return [move[i] for i in range(n)]

    def candidates(self, const float[::1] weights not None) -> list[int]:
        """The moves that a search looks at: `legal`, thinned out where a decision is wide."""
        cdef Move move[MAX_MOVES]
        cdef int i, n
        if self.to_move() < 0 or self.ops.candidates == NULL:
            return self.legal()
        n = self.ops.candidates(self.board.data, self.state, &weights[0], move)
        return [move[i] for i in range(n)]

    def chance(self) -> list[tuple[int, int]]:
        """The outcomes of this chance with their weights."""
        cdef Move move[MAX_MOVES]
        cdef int weight[MAX_MOVES]
        cdef int i, n
        if self.to_move() != CHANCE:
            return []
        n = self.ops.chance(self.board.data, self.state, move, weight)
        return [(move[i], weight[i]) for i in range(n)]

    def accepts(self, Move move) -> bool:
        """Is this move legal? A game may accept more than it lists (an unusual payment, an explicit route)."""
        if self.to_move() != OVER and self.ops.accepts != NULL:
            return self.ops.accepts(self.board.data, self.state, move)
        return move in self.legal()

    @property
    def state_size(self) -> int:
        """Bytes of a state."""
        return self.ops.state_size

    @property
    def has_chance(self) -> bool:
        """Do dice or a deck ever decide in this game?"""
        return self.ops.chance != NULL

    @property
    def has_secrets(self) -> bool:
        """Does anybody know what another does not?"""
        return self.ops.view != NULL

    def scores(self) -> list[int]:
        """What counts so far for each player; the final score when the game is over."""
        cdef int score[MAX_PLAYERS]
        self.ops.scores(self.board.data, self.state, score)
        return [score[i] for i in range(self.n_players)]

    def winners(self) -> list[int]:
        """The players who would win if the game ended here."""
        bits = winner_bits(self.ops, self.board.data, self.state, self.n_players)
        return [player for player in range(self.n_players) if bits >> player & 1]

    @property
    def can_evaluate(self) -> bool:
        """Has the game an evaluation of its own?"""
        return self.ops.evaluate != NULL

    def evaluate(self, const float[::1] weights not None) -> list[float]:
        """The score each player may expect at the end."""
        cdef float value[MAX_PLAYERS]
        if self.ops.evaluate == NULL:
            raise ValueError(f"{self.ops.name.decode()} has no evaluation; expected a game that has")
        self.ops.evaluate(self.board.data, self.state, &weights[0], value)
        return [value[i] for i in range(self.n_players)]

    def priors(self, moves, const float[::1] weights not None) -> list[float]:
        """How likely a sensible player is to choose each of `moves`."""
        cdef Move move[MAX_MOVES]
        cdef float p[MAX_MOVES]
        cdef int i, n = len(moves)
        if self.ops.priors == NULL:
            raise ValueError(f"{self.ops.name.decode()} has no priors; expected a game that has")
        assert n <= MAX_MOVES
        for i in range(n):
            move[i] = moves[i]
        self.ops.priors(self.board.data, self.state, move, n, &weights[0], p)
        return [p[i] for i in range(n)]

    # --- playing ---
    def apply(self, Move move) -> None:
        """Plays a move. It must be legal: this is the border, behind it nothing is checked again."""
        assert self.accepts(move), f"{self.ops.name.decode()}: move {move:#x} is not legal here"
        self.ops.apply(self.board.data, self.state, move)

    def random_chance(self, uint64_t seed, uint64_t stream) -> int:
        """An outcome of this chance, drawn by its weight."""
        cdef Rng rng
        assert self.to_move() == CHANCE
        random.seed(&rng, seed, stream)
        return sample_chance(self.ops, self.board.data, self.state, &rng)

    def playout(self, uint64_t seed, uint64_t stream=0, int limit=1_000_000) -> int:
        """Plays random moves to the end; how many were played."""
        cdef Rng rng
        cdef int played
        random.seed(&rng, seed, stream)
        with nogil:
            played = random_playout(self.ops, self.board.data, self.state, &rng, limit)
        return played

    def playouts(self, uint64_t seed, int games) -> int:
        """Plays `games` random games from here, the position stays; how many moves were played in all."""
        cdef uint64_t state[STATE_WORDS]
        cdef Rng rng
        cdef long long played = 0
        cdef int game
        random.seed(&rng, seed, 0)
        with nogil:
            for game in range(games):
                memcpy(state, self.state, self.ops.state_size)
                played += random_playout(self.ops, self.board.data, state, &rng, 1_000_000)
        return played

    def perft(self, int depth) -> int:
        """How many sequences of `depth` moves there are; chance outcomes count as moves, a game may end early."""
        cdef uint64_t n
        with nogil:
            n = count_leaves(self.ops, self.board.data, self.state, depth)
        return n

    # --- what is hidden ---
    def view(self, int observer) -> Position:
        """The position as `observer` knows it; the same one in a game without secrets."""
        cdef Position other = self.copy()
        if self.ops.view != NULL:
            self.ops.view(self.board.data, other.state, observer)
        return other

    def determinize(self, int observer, uint64_t seed, uint64_t stream=0, const float[::1] weights=None) -> Position:
        """A whole position that `observer` could be in: each as likely as the next, or, by the weights, as he thinks it is."""
        cdef Rng rng
        cdef const float* weight = &weights[0] if weights is not None else NULL
        cdef Position other = self.view(observer)
        random.seed(&rng, seed, stream)
        if self.ops.determinize != NULL:
            self.ops.determinize(self.board.data, other.state, observer, weight, &rng)
        return other

    # --- in and out ---
    def figures(self) -> dict[str, list[int]]:
        """The state as plain numbers, what is derived included."""
        cdef const Field* field = self.ops.fields
        result = {}
        while field.name != NULL:
            result[field.name.decode()] = read_field(field, self.state)
            field += 1
        return result

    def fields(self) -> dict[str, list[int]]:
        """The state as plain numbers: what `load` needs to make it again."""
        cdef const Field* field = self.ops.fields
        result = {}
        while field.name != NULL:
            if not field.derived:
                result[field.name.decode()] = read_field(field, self.state)
            field += 1
        return result

    def load(self, fields: dict[str, list[int]]) -> Position:
        """A position with these fields and, where one is left out, this one's. ValueError says what does not fit."""
        cdef Position other = self.copy()
        cdef const Field* field = self.ops.fields
        cdef const char* fault
        known = self.fields()
        for name in fields:
            if name not in known:
                raise ValueError(f"unknown field {name!r}; expected one of {' '.join(known)}")
        while field.name != NULL:
            name = field.name.decode()
            if name in fields:
                write_field(field, other.state, fields[name])
            field += 1
        fault = self.ops.settle(self.board.data, other.state)
        if fault != NULL:
            raise ValueError(fault.decode())
        return other

cdef list read_field(const Field* field, const void* state):
    cdef const char* at = <const char*>state + field.offset
    cdef int i
    if field.width == 1:
        return [(<const int8_t*>at)[i] for i in range(field.count)]
    if field.width == 2:
        return [(<const int16_t*>at)[i] for i in range(field.count)]
    if field.width == 4:
        return [(<const int32_t*>at)[i] for i in range(field.count)]
    return [(<const uint64_t*>at)[i] for i in range(field.count)]

cdef write_field(const Field* field, void* state, values):
    cdef char* at = <char*>state + field.offset
    cdef int i
    name = field.name.decode()
    if len(values) != field.count:
        raise ValueError(f"field {name} has {len(values)} values; expected {field.count}")
    cdef object half = 2 ** (8 * field.width - 1)
    low, high = (0, 2 * half - 1) if field.width == 8 else (-half, half - 1)
    for i in range(field.count):
        if not low <= values[i] <= high:
            raise ValueError(f"field {name} has {values[i]}; expected {low} to {high}")
        if field.width == 1:
            (<int8_t*>at)[i] = values[i]
        elif field.width == 2:
            (<int16_t*>at)[i] = values[i]
        elif field.width == 4:
            (<int32_t*>at)[i] = values[i]
        else:
            (<uint64_t*>at)[i] = values[i]
