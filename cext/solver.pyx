"""The solver: exact max^n with a transposition table, for positions near the end of a game without secrets.

Each player wants as much of the win as he can get, then as large a lead over his best rival as he can get; among moves
that are alike in both he takes the first of the list. Chance counts by its weights. Nothing is claimed that was not
searched to the end of the game.
"""
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec
from railwright.cext.game cimport (
    CHANCE, MAX_MOVES, MAX_PLAYERS, OVER, STATE_WORDS, GameOps, Move, Position, hash_state, winner_bits)

cdef double now() noexcept nogil:
    cdef timespec time
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec + 1e-9 * time.tv_nsec

cdef void judge_end(const Solver* v, const void* s, Worth* out) noexcept nogil:
    cdef int score[MAX_PLAYERS]
    cdef int bits = winner_bits(v.ops, v.board, s, v.n_players)
    cdef int player, rival, n_winners = 0
    v.ops.scores(v.board, s, score)
    for player in range(v.n_players):
        n_winners += (bits >> player) & 1
    for player in range(v.n_players):
        out.score[player] = score[player]
        out.win[player] = <float>1 / n_winners if (bits >> player) & 1 else 0
        out.lead[player] = 1e9
        for rival in range(v.n_players):
            if rival != player:
                out.lead[player] = min(out.lead[player], <float>(score[player] - score[rival]))

cdef inline bint is_better(const Worth* a, const Worth* b, int player) noexcept nogil:
    if a.win[player] != b.win[player]:
        return a.win[player] > b.win[player]
    return a.lead[player] > b.lead[player]

cdef void add_part(Worth* sum_, const Worth* part, float weight, int n_players) noexcept nogil:
    cdef int player
    for player in range(n_players):
        sum_.win[player] += weight * part.win[player]
        sum_.lead[player] += weight * part.lead[player]
        sum_.score[player] += weight * part.score[player]

cdef bint is_time_up(Solver* v) noexcept nogil:
    v.nodes += 1
    if v.nodes >= v.most_nodes or ((v.nodes & 255) == 0 and now() >= v.end):
        v.is_given_up = True
    return v.is_given_up

cdef bint solve_ply(Solver* v, int ply, uint32_t first_move, Worth* out, Move* best) noexcept nogil:
    """The worth of the state of this ply and the move that reaches it; False when it had to give up."""
    cdef void* s = v.state + ply * STATE_WORDS
    cdef void* after = v.state + (ply + 1) * STATE_WORDS
    cdef int player = v.ops.to_move(v.board, s)
    cdef Move* move = v.move + first_move
    cdef int* weight = v.weight + first_move
    cdef Entry* entry
    cdef Worth worth
    cdef Move ignored
    cdef uint64_t key
    cdef int i, n, total = 0
    best[0] = 0
    if player == OVER:
        judge_end(v, s, out)
        return True
    key = hash_state(v.ops, s) | 1
    entry = &v.entry[(key >> 1) & v.mask]
    if entry.key == key:
        out[0], best[0] = entry.worth, entry.best
        return True
    if is_time_up(v) or ply + 1 >= MOST_PLIES or first_move + MAX_MOVES > v.most_moves:
        v.is_given_up = True
        return False
    if player == CHANCE:
        n = v.ops.chance(v.board, s, move, weight)
        memset(out, 0, sizeof(Worth))
        for i in range(n):
            total += weight[i]
    else:
        n = v.ops.legal(v.board, s, move)
    for i in range(n):
        memcpy(after, s, v.ops.state_size)
        v.ops.apply(v.board, after, move[i])
        if not solve_ply(v, ply + 1, first_move + n, &worth, &ignored):
            return False
        if player == CHANCE:
            add_part(out, &worth, <float>weight[i] / total, v.n_players)
        elif i == 0 or is_better(&worth, out, player):
            out[0], best[0] = worth, move[i]
    entry.key, entry.worth, entry.best = key, out[0], best[0]
    return True

cdef class ExactSolver:
    """Works on one position. `run` may be ended from another thread by `give_up`."""
    cdef Solver v
    cdef Position position

    def __cinit__(self, Position position not None, int table_mib=64):
        cdef Solver* v = &self.v
        cdef uint64_t size = 1
        if position.has_secrets:
            raise ValueError("a game with secrets cannot be solved; expected one where everything is open")
        while size * 2 * sizeof(Entry) <= <uint64_t>table_mib << 20:
            size *= 2
        self.position = position.copy()
        v.ops, v.board, v.n_players = position.ops, position.board.data, position.n_players
        v.mask, v.most_moves = size - 1, 64 * MAX_MOVES
        v.entry = <Entry*>calloc(size, sizeof(Entry))
        v.state = <uint64_t*>calloc(MOST_PLIES + 1, STATE_WORDS * sizeof(uint64_t))
        v.move = <Move*>calloc(v.most_moves, sizeof(Move))
        v.weight = <int*>calloc(v.most_moves, sizeof(int))
        if v.entry == NULL or v.state == NULL or v.move == NULL or v.weight == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.v.entry)
        free(self.v.state)
        free(self.v.move)
        free(self.v.weight)

    def give_up(self) -> None:
        self.v.is_given_up = True

    @property
    def nodes(self) -> int:
        return self.v.nodes

    def run(self, uint64_t nodes, double seconds):
        """(win shares, leads, scores) of perfect play; None when it is too far to the end."""
        cdef Worth worth
        cdef Move best = 0
        cdef bint is_solved
        self.v.most_nodes, self.v.end = nodes, now() + seconds
        memcpy(self.v.state, self.position.state, self.v.ops.state_size)
        with nogil:
            is_solved = solve_ply(&self.v, 0, 0, &worth, &best)
        if not is_solved:
            return None
        players = range(self.position.n_players)
        return [worth.win[p] for p in players], [worth.lead[p] for p in players], [worth.score[p] for p in players]

    def line(self) -> list[int]:
        """The moves of perfect play as far as the table still remembers them; chance ends the line."""
        cdef Position here = self.position.copy()
        cdef uint64_t key
        cdef Move best
        found = []
        while here.to_move() >= 0 and len(found) < MOST_PLIES:
            key = hash_state(self.v.ops, here.state) | 1
            if self.v.entry[(key >> 1) & self.v.mask].key != key:
                break
            best = self.v.entry[(key >> 1) & self.v.mask].best
            found.append(best)
            here.apply(best)
        return found
