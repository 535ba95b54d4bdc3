"""The search: an information-set Monte Carlo tree search for every game, with max^n values.

One iteration: fill the root's view with a world that its player could be in, walk down the tree (PUCT over the mover's
own entry of the values), give its moves to the first decision that has none, finish with a playout that is cut by the
evaluation, and add what came out to every node on the way. A game without secrets is the special case where nothing is
filled in, and where the outcomes of chance are nodes too.
"""
from libc.math cimport expf, sqrtf, tanhf
from libc.stdint cimport INT32_MAX, int32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec
from railwright.cext cimport rng as random
from railwright.cext.game cimport (
    CHANCE, MAX_MOVES, MAX_PLAYERS, OVER, STATE_WORDS, Board, GameOps, Move, Position, sample_chance, winner_bits)
from railwright.cext.rng cimport Rng

SWITCHES = {
    "exploration": 1.2, "urgency": 0.1, "widening": 3.0, "history": 0.0, "abstraction": 0.0, "win": 0.6, "rank": 0.1, "margin": 0.3,
    "playout": 12, "random": 0, "priors": 1, "candidates": 1, "opponents": <int>SEARCHED, "proof": 1, "paired": 0,
}

# --- utility ---------------------------------------------------------------------
cdef void judge_end(const Tree* t, const void* s, Outcome* out) noexcept nogil:
    """The game is over: who won, and the scores."""
    cdef int score[MAX_PLAYERS]
    cdef int player, n_winners = 0
    cdef int bits = winner_bits(t.ops, t.board, s, t.n_players)
    t.ops.scores(t.board, s, score)
    for player in range(t.n_players):
        n_winners += (bits >> player) & 1
    for player in range(t.n_players):
        out.score[player] = score[player]
        out.win[player] = <float>1 / n_winners if (bits >> player) & 1 else 0
    blend(t, <float>0.01, out)

cdef void judge(const Tree* t, const void* s, Outcome* out) noexcept nogil:
    """The game goes on: the evaluation's scores, and the winning chances that they mean."""
    cdef float most, total = 0, temperature = t.weight[W_TEMPERATURE]
    cdef int player
    t.ops.evaluate(t.board, s, t.weight, out.score)
    most = out.score[0]
    for player in range(1, t.n_players):
        most = max(most, out.score[player])
    for player in range(t.n_players):
        out.win[player] = expf((out.score[player] - most) / temperature)
        total += out.win[player]
    for player in range(t.n_players):
        out.win[player] /= total
    blend(t, temperature, out)

cdef void blend(const Tree* t, float temperature, Outcome* out) noexcept nogil:
    """Win share, rank and squashed lead in one number, so that nobody is ever indifferent."""
    cdef float others, ahead, lead
    cdef int player, rival
    for player in range(t.n_players):
        others = ahead = 0
        for rival in range(t.n_players):
            if rival != player:
                others += out.score[rival]
                lead = (out.score[player] - out.score[rival]) / temperature
                ahead += 1 / (1 + expf(-min(max(lead, -20), 20)))
        lead = (out.score[player] - others / (t.n_players - 1)) / t.weight[W_SCALE]
        out.value[player] = (t.use.win * out.win[player] + t.use.rank * ahead / (t.n_players - 1)
                             + t.use.margin * (<float>0.5 + <float>0.5 * tanhf(lead)))

# --- playout ---------------------------------------------------------------------
cdef void step(Tree* t, void* s, int player) noexcept nogil:
    """One step of a playout: chance, the game's policy, or any legal move."""
    cdef Move move[MAX_MOVES]
    cdef int n
    if player == CHANCE:
        t.ops.apply(t.board, s, sample_chance(t.ops, t.board, s, &t.rng))
    elif t.ops.advance != NULL and not t.use.random:
        t.ops.advance(t.board, s, t.weight, &t.rng)
    else:
        n = t.ops.legal(t.board, s, move)
        t.ops.apply(t.board, s, move[random.below(&t.rng, n)])

cdef bint play_out(Tree* t, void* s, Outcome* out) noexcept nogil:
    """Plays on from a leaf and judges where that leads; was the game over already?"""
    cdef int steps = 0, player
    cdef bint is_end = True
    while True:
        player = t.ops.to_move(t.board, s)
        if player == OVER:
            judge_end(t, s, out)
            return is_end
        is_end = False
        if player == CHANCE:
            step(t, s, player)
        elif t.ops.evaluate != NULL and 0 <= t.use.playout <= steps:
            judge(t, s, out)
            return False
        else:
            step(t, s, player)
            steps += 1

# --- the tree --------------------------------------------------------------------
cdef inline uint64_t bytes_for(uint64_t n_nodes, uint64_t n_edges) noexcept nogil:
    """The memory of so many nodes and edges, each with its number in the lists of `follow`."""
    return n_nodes * (sizeof(Node) + sizeof(int32_t)) + n_edges * (sizeof(Edge) + sizeof(int32_t))

cdef inline bint has_room(const Tree* t, int n_nodes, int n_edges) noexcept nogil:
    return bytes_for(t.n_nodes + n_nodes, t.n_edges + n_edges) <= t.room

cdef int32_t new_node(Tree* t) noexcept nogil:
    memset(&t.node[t.n_nodes], 0, sizeof(Node))
    t.n_nodes += 1
    return t.n_nodes - 1

cdef int32_t new_edge(Tree* t, Move move, float prior, int32_t following) noexcept nogil:
    cdef Edge* edge = &t.edge[t.n_edges]
    memset(edge, 0, sizeof(Edge))
    edge.move, edge.prior, edge.next = move, prior, following
    t.n_edges += 1
    return t.n_edges - 1

cdef void fill_priors(const Tree* t, const void* s, const Move* move, int n, float* prior) noexcept nogil:
    """Priors that add up to 1."""
    cdef float total = 0
    cdef int i
    for i in range(n):
        prior[i] = 1
    if t.ops.priors != NULL and t.use.priors:
        t.ops.priors(t.board, s, move, n, t.weight, prior)
    for i in range(n):
        prior[i] = max(prior[i], <float>1e-6)
        total += prior[i]
    for i in range(n):
        prior[i] /= total

cdef int list_moves(const Tree* t, const void* s, Move* out) noexcept nogil:
    """The moves that the tree looks at."""
    if t.ops.candidates == NULL or not t.use.candidates:
        return t.ops.legal(t.board, s, out)
    return t.ops.candidates(t.board, s, t.weight, out)

cdef bint expand(Tree* t, int32_t here, const void* s) noexcept nogil:
    """Gives a decision its moves, the likeliest first; False when the memory is full."""
    cdef Move move[MAX_MOVES]
    cdef Move legal[MAX_MOVES]
    cdef int n = list_moves(t, s, move)
    if not has_room(t, 0, n):
        return False
    add_edges(t, here, s, move, n)
    if t.use.proof and t.ops.candidates != NULL and t.use.candidates:
        t.node[here].is_open = n < t.ops.legal(t.board, s, legal)
    return True

cdef void add_edges(Tree* t, int32_t here, const void* s, const Move* move, int n) noexcept nogil:
    cdef float prior[MAX_MOVES]
    cdef int order[MAX_MOVES]
    cdef int i, k
    cdef int32_t following = NONE
    fill_priors(t, s, move, n, prior)
    for i in range(n):                          # insertion: stable, and most decisions are small
        k = i
        while k > 0 and prior[order[k - 1]] < prior[i]:
            order[k] = order[k - 1]
            k -= 1
        order[k] = i
    for i in range(n - 1, -1, -1):
        following = new_edge(t, move[order[i]], prior[order[i]], following)
    t.node[here].edge = following
    t.node[here].is_expanded = True

cdef inline int history_slot(int player, Move move) noexcept nogil:
    return <int>(random.mix((<uint64_t>move << 3) | player) % HISTORY_SLOTS)

cdef inline uint64_t line_key(const Tree* t, int player, Move move) noexcept nogil:
    return random.mix(t.own[player] ^ move)

cdef inline float abstracted(const Tree* t, float value, int visits, uint64_t key) noexcept nogil:
    """Opponent-move abstraction (Baier and Kaisers 2020): with few visits a move counts as it did in this line of one's own."""
    cdef const Line* line = &t.line[key % LINE_SLOTS]
    cdef float part
    if line.key != key or line.visits <= visits:        # nobody else's visits: nothing to learn from
        return value
    part = sqrtf(t.use.abstraction / (3 * visits + t.use.abstraction))
    return value + part * (line.value - value)

cdef inline void add_to_line(Tree* t, uint64_t key, float value) noexcept nogil:
    cdef Line* line = &t.line[key % LINE_SLOTS]
    if line.key != key:
        line.key, line.value, line.visits = key, 0, 0
    line.visits += 1
    line.value += (value - line.value) / line.visits

cdef inline float urgency(const Tree* t, const Node* up, const Edge* edge, int player, float root_of_visits) noexcept nogil:
    """PUCT: what the move has shown so far, and what its prior promises; the less, the more often it was tried."""
    cdef int visits = t.node[edge.node].visits if edge.node != NONE else 0
    cdef float value = t.node[edge.node].mean.value[player] if visits > 0 else up.mean.value[player] - t.use.urgency
    if t.use.abstraction > 0:
        value = abstracted(t, value, visits, line_key(t, player, edge.move))
    value += t.use.exploration * edge.prior * root_of_visits / (1 + visits)
    if t.use.history > 0:
        value += t.use.history * t.history[history_slot(player, edge.move)] / (1 + visits)
    return value

cdef int32_t choose_edge(const Tree* t, int32_t here, int player) noexcept nogil:
    """The most urgent of the moves in sight: with more visits more of them come into sight."""
    cdef const Node* up = &t.node[here]
    cdef float root_of_visits = sqrtf(<float>up.visits + 1)
    cdef float value, best_value = -1e30
    cdef int32_t i = up.edge, best = NONE
    cdef int seen = 0, in_sight = MAX_MOVES
    cdef bint is_full = not has_room(t, 1, 0)
    if t.use.widening > 0:
        in_sight = 2 + <int>(t.use.widening * root_of_visits)
    while i != NONE and seen < in_sight:
        if t.edge[i].node != NONE or not is_full:       # with the memory full only the moves that have a node can learn
            value = urgency(t, up, &t.edge[i], player, root_of_visits)
            if value > best_value:
                best, best_value = i, value
            if t.edge[i].node == NONE and t.use.history == 0 and t.use.abstraction == 0:
                break                           # the moves behind were not tried either, and promise less
        seen += 1
        i = t.edge[i].next
    return best

cdef int32_t choose_available(Tree* t, int32_t here, const void* s, int player) noexcept nogil:
    """The same where worlds differ: only moves that are legal in this one count, and how often each was. A move keeps the
    prior of the world in which it was first seen: priors cost more than all the rest."""
    cdef Move move[MAX_MOVES]
    cdef float prior[MAX_MOVES]
    cdef int i, n = list_moves(t, s, move)
    cdef int32_t edge, best = NONE
    cdef bint has_priors = False
    cdef float value, best_value = -1e30
    for i in range(n):
        edge = edge_of(t, here, move[i])
        if edge == NONE:
            if not has_room(t, 0, 1):
                continue
            if not has_priors:
                fill_priors(t, s, move, n, prior)
                has_priors = True
            edge = t.node[here].edge = new_edge(t, move[i], prior[i], t.node[here].edge)
        t.edge[edge].available += 1
        if t.edge[edge].node == NONE and not has_room(t, 1, 0):
            continue
        value = urgency(t, &t.node[here], &t.edge[edge], player, sqrtf(<float>t.edge[edge].available))
        if value > best_value:
            best, best_value = edge, value
    return best

cdef inline int32_t edge_of(const Tree* t, int32_t here, Move move) noexcept nogil:
    """The edge of a move of this decision, or NONE."""
    cdef int32_t edge = t.node[here].edge
    while edge != NONE and t.edge[edge].move != move:
        edge = t.edge[edge].next
    return edge

cdef int32_t choose_outcome(Tree* t, int32_t here, const void* s) noexcept nogil:
    """A public outcome of chance, drawn by its weight."""
    cdef Move outcome = sample_chance(t.ops, t.board, s, &t.rng)
    cdef int32_t edge = edge_of(t, here, outcome)
    if edge == NONE and has_room(t, 0, 1):
        edge = t.node[here].edge = new_edge(t, outcome, 1, t.node[here].edge)
    return edge

# --- one iteration ---------------------------------------------------------------
cdef void iterate(Tree* t, const void* root) noexcept nogil:
    cdef uint64_t state[STATE_WORDS]
    cdef int32_t path[MAX_DEPTH]
    cdef int32_t taken[MAX_DEPTH]               # the edges between the nodes of the path
    cdef int mover[MAX_DEPTH]
    cdef uint64_t key[MAX_DEPTH]                # of the movers' own lines
    cdef Outcome out
    cdef int depth = 0, player
    cdef int32_t here = ROOT, edge
    for player in range(t.n_players):
        t.own[player] = player + 1
    if t.use.paired and t.node[ROOT].is_expanded:
        pair(t)
    memcpy(state, root, t.ops.state_size)
    if t.ops.determinize != NULL:
        t.ops.determinize(t.board, state, t.observer, t.weight, &t.rng)
    path[0] = ROOT
    while depth + 1 < MAX_DEPTH and not (t.node[here].is_proven and here != ROOT):
        player = t.ops.to_move(t.board, state)
        if player == OVER:
            break
        if not t.is_fixed and player != t.observer and (player == CHANCE or t.use.opponents == SAMPLED):
            step(t, state, player)              # the world moves on unseen between two decisions of the tree
            continue
        edge = choose(t, here, state, player)
        if edge == NONE:
            break
        if t.edge[edge].node == NONE:
            if not has_room(t, 1, 0):
                break
            t.edge[edge].node = new_node(t)
        t.ops.apply(t.board, state, t.edge[edge].move)
        here = t.edge[edge].node
        taken[depth] = edge
        mover[depth] = player
        if t.use.abstraction > 0 and player >= 0:
            key[depth] = t.own[player] = line_key(t, player, t.edge[edge].move)
        depth += 1
        path[depth] = here
        if t.node[here].visits == 0:
            break
    if t.node[here].is_proven and here != ROOT:
        out = t.node[here].mean
    elif play_out(t, state, &out) and t.is_fixed and t.use.proof and here != ROOT:
        t.node[here].is_proven = True
    add_outcome(t, path, taken, mover, key, depth, &out)
    t.iterations += 1
    t.depths += depth
    t.seldepth = max(t.seldepth, depth)

cdef void pair(Tree* t) noexcept nogil:
    """The k-th visit of every move at the root meets the same world and the same luck: moves differ by what they are."""
    cdef int32_t edge = choose_edge(t, ROOT, t.observer)
    if edge != NONE:
        random.seed(&t.rng, t.seed, t.node[t.edge[edge].node].visits if t.edge[edge].node != NONE else 0)

cdef int32_t choose(Tree* t, int32_t here, const void* s, int player) noexcept nogil:
    """The edge to go on with, or NONE when the descent ends here."""
    if player == CHANCE:
        return choose_outcome(t, here, s)
    if here != ROOT and not t.is_fixed:         # the root's moves are the same in every world
        return choose_available(t, here, s, player)
    if not t.node[here].is_expanded and not expand(t, here, s):
        return NONE
    return choose_edge(t, here, player)

cdef void add_outcome(Tree* t, const int32_t* path, const int32_t* taken, const int* mover, const uint64_t* key, int depth,
                      const Outcome* out) noexcept nogil:
    """Adds what came out to the means of every node on the way, and proves what can be proved."""
    cdef Node* node
    cdef int i, player, slot
    cdef float part
    for i in range(depth, -1, -1):
        node = &t.node[path[i]]
        node.visits += 1
        if node.is_proven and node.visits > 1:
            continue
        part = <float>1 / node.visits
        for player in range(t.n_players):
            node.mean.value[player] += (out.value[player] - node.mean.value[player]) * part
            node.mean.win[player] += (out.win[player] - node.mean.win[player]) * part
            node.mean.score[player] += (out.score[player] - node.mean.score[player]) * part
        if i < depth and mover[i] >= 0:
            if t.use.history > 0:
                slot = history_slot(mover[i], t.edge[taken[i]].move)
                t.history_visits[slot] += 1
                t.history[slot] += (out.value[mover[i]] - t.history[slot]) / t.history_visits[slot]
            if t.use.abstraction > 0:
                add_to_line(t, key[i], out.value[mover[i]])
            if t.node[path[i + 1]].is_proven and not node.is_open:
                prove(t, node, mover[i])

cdef void prove(Tree* t, Node* node, int player) noexcept nogil:
    """Every move leads to a proved end: the mover takes the best, so this decision is proved too."""
    cdef int32_t edge = node.edge, best = NONE
    while edge != NONE:
        if t.edge[edge].node == NONE or not t.node[t.edge[edge].node].is_proven:
            return
        if best == NONE or t.node[t.edge[edge].node].mean.value[player] > t.node[best].mean.value[player]:
            best = t.edge[edge].node
        edge = t.edge[edge].next
    node.mean = t.node[best].mean
    node.is_proven = True

cdef double now() noexcept nogil:
    cdef timespec time
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec + 1e-9 * time.tv_nsec

cdef uint64_t run(Tree* t, const void* root, uint64_t most, double seconds) noexcept nogil:
    """Iterates at most `most` times and about `seconds` long; how often it did."""
    cdef double end = now() + seconds
    cdef uint64_t done = 0
    while done < most and not t.node[ROOT].is_proven:
        iterate(t, root)
        done += 1
        if now() >= end:
            break
    return done

# --- carrying the tree over to the next move ---------------------------------------
cdef int32_t child_of(const Tree* t, int32_t here, Move move) noexcept nogil:
    cdef int32_t edge = edge_of(t, here, move)
    return t.edge[edge].node if edge != NONE else NONE

cdef void keep_below(Tree* t, int32_t root, int32_t* new_node_, int32_t* new_edge_) noexcept nogil:
    """Makes `root` the root and drops what is not below it. A child's index is above its parent's, so one pass each suffices."""
    cdef int32_t i, edge, n_nodes = ROOT, n_edges = 1
    memset(new_node_, 0, t.n_nodes * sizeof(int32_t))
    memset(new_edge_, 0, t.n_edges * sizeof(int32_t))
    new_node_[root] = 1
    for i in range(root, t.n_nodes):
        if new_node_[i]:
            new_node_[i] = n_nodes
            n_nodes += 1
            edge = t.node[i].edge
            while edge != NONE:
                new_edge_[edge] = 1
                if t.edge[edge].node != NONE:
                    new_node_[t.edge[edge].node] = 1
                edge = t.edge[edge].next
    for i in range(1, t.n_edges):
        if new_edge_[i]:
            new_edge_[i] = n_edges
            n_edges += 1
    for i in range(1, t.n_edges):
        if new_edge_[i]:
            t.edge[new_edge_[i]] = t.edge[i]
            t.edge[new_edge_[i]].next = new_edge_[t.edge[i].next]
            t.edge[new_edge_[i]].node = new_node_[t.edge[i].node]
    for i in range(root, t.n_nodes):
        if new_node_[i]:
            t.node[new_node_[i]] = t.node[i]
            t.node[new_node_[i]].edge = new_edge_[t.node[i].edge]
    t.n_nodes, t.n_edges = n_nodes, n_edges

# --- what was found --------------------------------------------------------------
cdef int32_t most_visited(const Tree* t, int32_t here, int player) noexcept nogil:
    """The move taken most often; where all is proved, the one that is best for the player."""
    cdef int32_t edge = t.node[here].edge, best = NONE
    cdef const Node* node
    cdef double value, best_value = -1
    while edge != NONE:
        if t.edge[edge].node != NONE:
            node = &t.node[t.edge[edge].node]
            value = node.mean.value[player] if t.node[here].is_proven else node.visits
            if value > best_value:
                best, best_value = edge, value
        edge = t.edge[edge].next
    return best

# --- for Python ------------------------------------------------------------------
cdef class Search:
    """A tree of fixed size over the decisions from one position on, seen by the player who is to move there."""
    cdef Tree tree
    cdef Position root          # what the player at the root knows
    cdef object weights         # keeps the memory behind tree.weight alive
    cdef const float[::1] weight_view

    def __cinit__(self, Position position not None, weights, switches: dict, uint64_t n_bytes, uint64_t seed, uint64_t stream=0):
        cdef Tree* t = &self.tree
        self.weights, self.weight_view = weights, weights
        if len(weights) <= W_SCALE:
            raise ValueError(f"{len(weights)} weights; expected temperature and scale first")
        set_switches(&t.use, switches)
        t.weight = &self.weight_view[0]
        t.room = min(max(n_bytes, bytes_for(LEAST_NODES, MAX_MOVES + 1)), bytes_for(0, INT32_MAX))
        t.node = <Node*>calloc(t.room // bytes_for(1, 1) + 2, sizeof(Node))     # a node hangs on an edge, but for ROOT and NONE
        t.edge = <Edge*>calloc(t.room // bytes_for(0, 1), sizeof(Edge))         # what is never touched takes no memory
        if t.node == NULL or t.edge == NULL:
            raise MemoryError
        random.seed(&t.rng, seed, stream)
        t.seed = random.draw(&t.rng)
        self.begin(position)

    def __dealloc__(self):
        free(self.tree.node)
        free(self.tree.edge)

    def begin(self, Position position not None, moves=()) -> None:
        """Forgets the tree. `moves`: the only ones to look at; empty for all that the game thinks worth it."""
        cdef Tree* t = &self.tree
        self.look_from(position)
        t.n_nodes, t.n_edges = ROOT, 1
        t.is_restricted = False
        memset(t.history, 0, sizeof(t.history))
        memset(t.history_visits, 0, sizeof(t.history_visits))
        new_node(t)
        self.reset_counters()
        if moves:
            self.restrict(moves)

    cdef void look_from(self, Position position):
        cdef Tree* t = &self.tree
        player = position.to_move()
        if player < 0:
            raise ValueError("nobody decides here; expected a position with a player to move")
        self.root = position.view(player)
        t.ops, t.board, t.n_players, t.observer = position.ops, position.board.data, position.n_players, player
        t.is_fixed = position.ops.view == NULL and t.use.opponents == SEARCHED

    cdef void reset_counters(self):
        self.tree.iterations = self.tree.depths = 0
        self.tree.seldepth = 0
        if self.tree.use.abstraction > 0:       # lines begin at the root
            memset(self.tree.line, 0, sizeof(self.tree.line))

    def restrict(self, moves) -> None:
        """Only these moves at the root; the tree must be new."""
        cdef Move move[MAX_MOVES]
        cdef uint64_t state[STATE_WORDS]
        cdef int i, n = len(moves)
        if not 0 < n <= MAX_MOVES:
            raise ValueError(f"{n} moves to search; expected 1 to {MAX_MOVES}")
        for i in range(n):
            move[i] = moves[i]
        memcpy(state, self.root.state, self.tree.ops.state_size)
        if self.tree.ops.determinize != NULL:
            self.tree.ops.determinize(self.tree.board, state, self.tree.observer, self.tree.weight, &self.tree.rng)
        add_edges(&self.tree, ROOT, state, move, n)
        self.tree.node[ROOT].is_open = self.tree.is_restricted = True

    def follow(self, Position position not None, played) -> bool:
        """Goes on from `position`, which `played` leads to, with what the tree knows of it; False: it knows nothing.

        Where worlds are sampled it never does: what happened in between is not in the tree.
        """
        cdef Tree* t = &self.tree
        cdef int32_t node = ROOT
        cdef int32_t* forward
        if position.board is not self.root.board or position.n_players != self.root.n_players:
            return False
        for move in played:
            node = child_of(t, node, move)
            if node == NONE:
                return False
        if not t.node[node].is_expanded or not t.is_fixed or (node == ROOT and t.is_restricted):
            return False
        forward = <int32_t*>calloc(t.n_nodes + t.n_edges, sizeof(int32_t))
        if forward == NULL:
            raise MemoryError
        if node != ROOT:
            keep_below(t, node, forward, forward + t.n_nodes)
            t.is_restricted = False
        free(forward)
        self.look_from(position)
        self.reset_counters()
        return True

    def run(self, uint64_t iterations, double seconds) -> int:
        """Searches on; returns how many iterations were made: fewer when the time is up or everything is proved."""
        cdef uint64_t done
        with nogil:
            done = run(&self.tree, self.root.state, iterations, seconds)
        return done

    # --- what was found ---
    @property
    def is_proven(self) -> bool:
        return self.tree.node[ROOT].is_proven

    @property
    def lead(self) -> int:
        """Visits by which the root's most visited move is ahead of the next; once no more are to come, the choice stands."""
        cdef Tree* t = &self.tree
        cdef int32_t edge = t.node[ROOT].edge
        cdef int visits, most = 0, second = 0
        while edge != NONE:
            visits = t.node[t.edge[edge].node].visits if t.edge[edge].node != NONE else 0
            if visits > most:
                most, second = visits, most
            elif visits > second:
                second = visits
            edge = t.edge[edge].next
        return most - second

    @property
    def iterations(self) -> int:
        return self.tree.iterations

    @property
    def depth(self) -> int:
        """The mean length of a descent."""
        return self.tree.depths // self.tree.iterations if self.tree.iterations else 0

    @property
    def seldepth(self) -> int:
        return self.tree.seldepth

    @property
    def hashfull(self) -> int:
        """Thousandths of the memory in use."""
        cdef Tree* t = &self.tree
        return 1000 * bytes_for(t.n_nodes, t.n_edges) // t.room

    def moves(self, after=()) -> list[tuple]:
        """(move, visits, utility, winning chances, expected scores) of each move tried at the root, or `after` these moves.
        The utility is that of the player at the root."""
        cdef Tree* t = &self.tree
        cdef int32_t edge, here = ROOT
        cdef const Node* node
        cdef int p
        found = []
        for move in after:
            here = child_of(t, here, move)
            if here == NONE:
                return found
        edge = t.node[here].edge
        while edge != NONE:
            if t.edge[edge].node != NONE:
                node = &t.node[t.edge[edge].node]
                found.append((t.edge[edge].move, node.visits, node.mean.value[t.observer],
                              [node.mean.win[p] for p in range(t.n_players)], [node.mean.score[p] for p in range(t.n_players)]))
            edge = t.edge[edge].next
        return found

    def counts(self) -> tuple[int, int]:
        """The nodes and the edges in use."""
        return self.tree.n_nodes - ROOT, self.tree.n_edges - 1

    def recount(self) -> tuple[int, int]:
        """The same, counted one by one from the root down; for tests."""
        cdef Tree* t = &self.tree
        cdef int32_t edge
        cdef int n_nodes = 0, n_edges = 0
        left = [ROOT]
        while left:
            n_nodes += 1
            edge = t.node[<int32_t>left.pop()].edge
            while edge != NONE:
                n_edges += 1
                if t.edge[edge].node != NONE:
                    left.append(t.edge[edge].node)
                edge = t.edge[edge].next
        return n_nodes, n_edges

    def line(self, Move move) -> list[int]:
        """The moves most often taken from `move` on, as far as each is surely legal when its turn comes; chance ends the line."""
        cdef Tree* t = &self.tree
        cdef int32_t node = child_of(t, ROOT, move), best
        cdef Position position = self.root.copy()
        cdef int player
        found = [move]
        position.apply(move)
        while node != NONE and len(found) < MAX_DEPTH:
            player = position.to_move()
            if player < 0 or (not t.is_fixed and player != t.observer):
                break
            best = most_visited(t, node, player)
            if best == NONE or not position.accepts(t.edge[best].move):
                break
            found.append(t.edge[best].move)
            position.apply(t.edge[best].move)
            node = t.edge[best].node
        return found

cdef set_switches(Switches* use, switches: dict):
    for name in switches:
        if name not in SWITCHES:
            raise ValueError(f"search switch {name!r}; expected one of {' '.join(SWITCHES)}")
    on = SWITCHES | switches
    use.exploration, use.urgency, use.widening, use.history = on["exploration"], on["urgency"], on["widening"], on["history"]
    use.win, use.rank, use.margin = on["win"], on["rank"], on["margin"]
    use.playout, use.random, use.priors, use.candidates = on["playout"], on["random"], on["priors"], on["candidates"]
    use.opponents, use.proof, use.paired, use.abstraction = on["opponents"], on["proof"], on["paired"], on["abstraction"]
