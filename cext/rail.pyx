"""RAIL (Railway Rivals): states, moves, effects (rules RL-1 to RL-70).

Top down: the state, the legal moves by decision, the effect of a move by phase, the notation. The search for routes stands
in rail_routes.pxi, what a player thinks of a position in rail.pxi."""
from libc.math cimport expf
from libc.stdint cimport int8_t, int16_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memmove, memset
from railwright.cext cimport rng as random
from railwright.cext.game cimport (
    BY_BOARD, CHANCE, OVER, Board, Field, GameOps, Move, Position, field, move_a, move_b, move_kind, new_board, pack)
from railwright.cext.hexes cimport bit_count, lowest_bit
from railwright.cext.rng cimport Rng

# --- sets of hexes and of players --------------------------------------------------
cdef inline bint has_land(const Land* set_, int hex_) noexcept nogil:
    return (set_.word[hex_ >> 6] >> (hex_ & 63)) & 1

cdef inline void add_land(Land* set_, int hex_) noexcept nogil:
    set_.word[hex_ >> 6] |= <uint64_t>1 << (hex_ & 63)

cdef inline int list_land(const Land* set_, int16_t* out) noexcept nogil:
    """The hexes of the set, ascending; how many."""
    cdef uint64_t word
    cdef int i, n = 0
    for i in range(LAND_WORDS):
        word = set_.word[i]
        while word:
            out[n] = i * 64 + lowest_bit(word)
            word &= word - 1
            n += 1
    return n

cdef inline bint is_empty(const Land* set_) noexcept nogil:
    cdef uint64_t word = 0
    cdef int i
    for i in range(LAND_WORDS):
        word |= set_.word[i]
    return word == 0

cdef inline int sole_goal(const Map* b, const State* s) noexcept nogil:
    """The goal of an ordinary race, a city; NO_HEX when there are several, or it is none."""
    cdef int i, goal = NO_HEX
    for i in range(LAND_WORDS):
        if s.goals.word[i]:
            if goal != NO_HEX or s.goals.word[i] & (s.goals.word[i] - 1):
                return NO_HEX
            goal = i * 64 + lowest_bit(s.goals.word[i])
    return goal if goal != NO_HEX and b.city[goal] != NO_HEX else NO_HEX

cdef inline void add_branch(Branches* set_, int branch) noexcept nogil:
    set_.word[branch >> 6] |= <uint64_t>1 << (branch & 63)

cdef inline void remove_branch(Branches* set_, int branch) noexcept nogil:
    set_.word[branch >> 6] &= ~(<uint64_t>1 << (branch & 63))

cdef inline void add_segment(Path* path, int segment) noexcept nogil:
    path.word[segment >> 6] |= <uint64_t>1 << (segment & 63)

cdef inline int clockwise(const State* s, int seat, int steps) noexcept nogil:
    """RL-4: play goes in seat order."""
    return (seat + steps) % s.n_players

cdef int direction_to(const Map* b, int u, int v) noexcept nogil:
    """The direction in which v lies beside u; N_DIRECTIONS when no line can go there."""
    cdef int d
    for d in range(N_DIRECTIONS):
        if b.neighbour[u][d] == v:
            return d
    return N_DIRECTIONS

# --- state -------------------------------------------------------------------------
cdef void start(const void* board, int n_players, const int* options, void* state) noexcept nogil:
    """RL-1, RL-2: accounts of 20 and an empty map; nobody knows yet who begins (RL-4)."""
    cdef const Map* b = <const Map*>board
    cdef State* s = <State*>state
    cdef int player, i
    memset(s, 0, sizeof(State))
    s.n_players = n_players
    for i in range(N_CHOICES):
        s.choice[i] = 0 if options[i] == BY_BOARD else options[i]
    if options[DICE] == BY_BOARD:
        s.choice[DICE] = 2
    if options[JOINT_RUNS] == BY_BOARD:
        s.choice[JOINT_RUNS] = 1
    if not b.has_special_races:         # section 7: there the advanced rules have no effect
        s.choice[ADVANCED] = 0
    for player in range(MAX_PLAYERS):
        s.account[player] = START_ACCOUNT if player < n_players else 0
        s.start[player] = s.first_edge[player] = NO_HEX
    for i in range(MAX_FERRIES):
        s.ferry_owner[i] = NOBODY
    s.decision = FIRST_PLAYER
    s.round = s.race_number = 1
    s.is_first_step = 1
    s.partner = s.offered_to = NOBODY
    s.race_start = s.chained_start = NO_HEX
    s.least_distance = b.least_distance

cdef void derive(const Map* b, State* s) noexcept nogil:
    """Works out everything that is kept up to date in play from what is given."""
    cdef int segment, player, u, v, bits
    memset(s.touch_bits, 0, sizeof(s.touch_bits))
    memset(s.built_bits, 0, sizeof(s.built_bits))
    memset(s.network, 0, sizeof(s.network))
    memset(s.n_segments, 0, sizeof(s.n_segments))
    memset(s.open, 0, sizeof(s.open))
    for segment in range(b.n_segments):
        bits = s.owner_bits[segment]
        if bits:
            u, v = b.ends[segment][0], b.ends[segment][1]
            for player in range(s.n_players):
                if (bits >> player) & 1:
                    touch(b, s, player, u)
                    touch(b, s, player, v)
                    s.n_segments[player] += 1
            note_built(b, s, u, v)
    for player in range(s.n_players):
        if s.start[player] != NO_HEX:
            begin_at(b, s, player, s.start[player])

cdef inline void touch(const Map* b, State* s, int player, int hex_) noexcept nogil:
    s.touch_bits[hex_] |= 1 << player
    reach(b, s, player, hex_)
    if b.city[hex_] != NO_HEX:
        s.connected_bits |= <uint64_t>1 << b.city[hex_]

cdef void reach(const Map* b, State* s, int player, int hex_) noexcept nogil:
    """The hex joins the network: what can be built from it is open. A segment between two hexes of the network stands
    there from the smaller; from abroad nothing is built (RL-60)."""
    cdef int bits, d, v
    if has_land(&s.network[player], hex_):
        return
    add_land(&s.network[player], hex_)
    bits = buildable_bits(b, s, hex_)
    while bits:
        d = lowest_bit(bits)
        bits &= bits - 1
        v = b.neighbour[hex_][d]
        if (s.owner_bits[b.segment[hex_][d]] >> player) & 1:
            continue
        if has_land(&s.network[player], v) and not b.is_abroad[v]:
            if v < hex_:
                continue
            remove_branch(&s.open[player], b.branch[v][N_DIRECTIONS - 1 - d])
        add_branch(&s.open[player], b.branch[hex_][d])

cdef inline void note_built(const Map* b, State* s, int u, int v) noexcept nogil:
    cdef int d = direction_to(b, u, v)
    s.built_bits[u] |= 1 << d
    s.built_bits[v] |= 1 << (N_DIRECTIONS - 1 - d)

cdef void begin_at(const Map* b, State* s, int player, int hex_) noexcept nogil:
    """RL-15, RL-23: a city in which someone began is connected."""
    s.start[player] = hex_
    reach(b, s, player, hex_)
    if b.city[hex_] != NO_HEX:
        s.connected_bits |= <uint64_t>1 << b.city[hex_]

cdef void lay(const Map* b, State* s, int player, int segment) noexcept nogil:
    """The segment is the player's: the sets that follow from the track."""
    cdef int u = b.ends[segment][0], v = b.ends[segment][1], d = direction_to(b, u, v)
    if s.n_segments[player] == 0:
        s.first_edge[player] = segment          # RL-12
    s.owner_bits[segment] |= 1 << player
    s.n_segments[player] += 1
    touch(b, s, player, u)
    touch(b, s, player, v)
    remove_branch(&s.open[player], b.branch[u][d])
    remove_branch(&s.open[player], b.branch[v][N_DIRECTIONS - 1 - d])
    note_built(b, s, u, v)

cdef const char* settle(const void* board, void* state) noexcept nogil:
    """A position from outside keeps to the limits of the core; it need not be reachable in play."""
    cdef const Map* b = <const Map*>board
    cdef State* s = <State*>state
    cdef const char* fault = settle_map(b, s)
    if fault == NULL:
        fault = settle_turn(b, s)
    if fault == NULL:
        derive(b, s)
        forget_draft(s)
        fault = settle_race(b, s)
    return fault

cdef inline bint is_seat(const State* s, int player) noexcept nogil:
    return 0 <= player < s.n_players

cdef inline bint is_seat_or_nobody(const State* s, int player) noexcept nogil:
    return NOBODY <= player < s.n_players

cdef const char* settle_map(const Map* b, State* s) noexcept nogil:
    """What stands on the map, and the accounts."""
    cdef int player, i
    for i in range(MAX_SEGMENTS):
        if s.owner_bits[i] >= (1 << s.n_players if i < b.n_segments else 1):
            return b"track outside the map, or of a player who does not play"
    for player in range(MAX_PLAYERS):
        if not 0 <= s.account[player] <= (MOST_POINTS if player < s.n_players else 0):
            return b"account is out of range; expected 0 to 8190 points, 0 for a player who does not play"
        if not NO_HEX <= s.start[player] < b.n_hexes or (s.start[player] != NO_HEX and player >= s.n_players):
            return b"start is no hex of the map; expected -1 where none is chosen"
        if s.start[player] != NO_HEX and b.city[s.start[player]] == NO_HEX:
            return b"start is no city (RL-5)"
        if not NO_HEX <= s.first_edge[player] < b.n_segments:
            return b"first is no segment of the map; expected -1 where there is none"
    if s.connected_bits & ~b.city_bits:
        return b"connected names a city that the map has not"
    for i in range(MAX_FERRIES):
        if not is_seat_or_nobody(s, s.ferry_owner[i]) or (i >= b.n_ferries and s.ferry_owner[i] != NOBODY):
            return b"ferries: no such ferry or owner; expected -1 where nobody owns it"
    return NULL

cdef const char* settle_turn(const Map* b, State* s) noexcept nogil:
    """The turn of construction."""
    if not FIRST_PLAYER <= s.decision <= GAME_OVER:
        return b"no such decision"
    if not 1 <= s.round <= LAST_ROUND or not 0 <= s.declared <= s.round:
        return b"round or declared is out of range; expected a round from 1 to 60, declared not after it (RL-25a)"
    if not is_seat(s, s.first) or not is_seat(s, s.turn) or not 0 <= s.used_bits < 1 << s.n_players:
        return b"first, turn or used names a player who does not play"
    if not 0 <= s.pips <= 24 or not 0 <= s.shared_pips <= 12:
        return b"pips are out of range"
    if s.is_first_step not in (0, 1):
        return b"firststep is 0 or 1"
    if not is_seat_or_nobody(s, s.partner) or s.partner == s.turn:
        return b"partner is no other player; expected -1 where there is none"
    if not is_seat_or_nobody(s, s.offered_to) or not 0 <= s.refused_bits < 1 << s.n_players:
        return b"offered or refused names a player who does not play"
    if s.decision == THROWING_FOR_LINE and s.partner == NOBODY:
        return b"a throw for a joint line without a partner (RL-58)"
    if s.decision == ANSWERING_LINE and (s.offered_to == NOBODY or s.offered_to == s.turn):
        return b"nobody has been offered a joint line (RL-58)"
    return NULL

cdef const char* settle_race(const Map* b, State* s) noexcept nogil:
    """The race, by the decision that is due."""
    cdef int i
    cdef Move out[N_NUMBERS]
    if not is_seat(s, s.opener) or not 1 <= s.race_number <= LAST_RACE:
        return b"opener or race is out of range; expected a seat, and a race from 1 to 150"
    if not NO_HEX <= s.race_start < b.n_hexes or not NO_HEX <= s.chained_start < b.n_hexes:
        return b"from or chained is no hex of the map; expected -1 where there is none"
    if not is_city_or_none(b, s.race_start) or not is_city_or_none(b, s.chained_start):
        return b"from or chained is no city"
    for i in range(b.n_hexes, MAX_LAND):
        if has_land(&s.goals, i):
            return b"goals outside the map"
    if s.is_special not in (0, 1) or (s.is_special and not b.has_special_races) or not 1 <= s.least_distance <= 100:
        return b"special is 0 or 1, and 0 on a map without special races; least is 1 to 100"
    for i in range(N_NUMBERS):
        if not 0 <= s.times_used[i] <= 2:
            return b"numbers are used 0 to 2 times (RL-54)"
    for i in range(MAX_PLAYERS):
        if not UNANSWERED <= s.entry[i] <= JOINT:
            return b"entry is out of range"
        if not 0 <= s.limit[i] <= (MOST_POINTS if i < s.n_players else 0):
            return b"limits are out of range"
    if s.decision == DRAWING_START:             # whether this draw is special, and what is left to draw, follows
        draw_race(b, s)
        return NULL
    if s.decision == DRAWING_GOAL and (s.race_start == NO_HEX or goal_outcomes(b, s, out) == 0):
        return b"no goal qualifies from that start (RL-29)"
    if ENTERING <= s.decision <= RUNNING and (s.race_start == NO_HEX or is_empty(&s.goals)):
        return b"a race without start or goal"
    if s.decision in (ENTERING, ANSWERING_RUN) and asked(s) == NOBODY:
        return b"everybody has answered; expected somebody to ask (RL-31)"
    if s.decision == ANSWERING_RUN and (s.offered_to == NOBODY or s.offered_to == asked(s) or s.entry[s.offered_to] != UNANSWERED):
        return b"nobody has been offered a joint run (RL-33)"
    if s.decision == EXPANDING and expander(s) == NOBODY:
        return b"nobody may build; expected a limit (RL-49)"
    return settle_trains(b, s)

cdef inline bint is_city_or_none(const Map* b, int hex_) noexcept nogil:
    return hex_ == NO_HEX or b.city[hex_] != NO_HEX

cdef const char* settle_trains(const Map* b, State* s) noexcept nogil:
    cdef const Train* t
    cdef int i, j, player, seen = 0, arrived = 0
    if not 0 <= s.n_trains <= s.n_players:
        return b"more trains than players"
    if not 0 <= s.race_round <= 1000:           # so that arrivals stay within what is read here
        return b"the round of the race is out of range"
    for i in range(s.n_trains):
        t = &s.train[i]
        if not is_seat(s, t.member[0]) or not is_seat_or_nobody(s, t.member[1]):
            return b"a train of a player who does not play"
        for j in range(2):
            if t.member[j] != NOBODY:
                if (seen >> t.member[j]) & 1:
                    return b"a player is part of two trains (RL-33)"
                seen |= 1 << t.member[j]
        if t.is_named not in (0, 1) or not 0 <= t.pips <= 4000 or not 0 <= t.thrown <= 5000 or not 0 <= t.arrived <= 4000:
            return b"a train's route is out of range"
        if t.is_named and (t.pips == 0 or not 0 <= t.goal < b.n_hexes):
            return b"a train's route has no length or no goal"
        for player in range(MAX_PLAYERS):
            if not 0 <= t.fee[player] <= (1000 if player < s.n_players else 0):
                return b"a train's fees are out of range"
        if not t.is_named and s.decision > NAMING and not s.race_over and s.decision != GAME_OVER:
            return b"a train without a route; expected all routes to be named (RL-34)"
        if s.decision == RUNNING and (t.arrived > s.race_round or (t.arrived > 0) != (t.thrown >= t.pips)):
            return b"a train has arrived that cannot have"
        arrived += 0 < t.arrived < s.race_round
    if s.decision == NAMING and naming(b, s) == NOBODY:
        return b"all routes are named; expected a train without one"
    if s.decision == REPAIRING and offender(s) == NOBODY:
        return b"nobody offends; expected a route to repair (RL-38)"
    if s.decision == RUNNING:
        if s.n_trains < 2 or s.race_round < 1 or arrived >= 2:
            return b"a race that is over; expected two trains that still run (RL-46)"
        if not 0 <= s.thrower < s.n_trains or s.train[s.thrower].arrived:
            return b"thrower is no train that runs"
    return NULL

# --- legal moves -------------------------------------------------------------------
cdef int to_move(const void* board, const void* state) noexcept nogil:
    cdef const Map* b = <const Map*>board
    cdef const State* s = <const State*>state
    cdef int decision = s.decision
    if decision in (CHOOSING_START, BUILDING):
        return s.turn
    if decision in (ANSWERING_LINE, ANSWERING_RUN):
        return s.offered_to
    if decision == ENTERING:
        return asked(s)
    if decision in (NAMING, REPAIRING):
        return s.train[naming(b, s)].member[0]
    if decision == EXPANDING:
        return expander(s)
    return OVER if decision == GAME_OVER else CHANCE

cdef int legal(const void* board, const void* state, Move* out) noexcept nogil:
    """The options in the order of section 10, hexes ascending."""
    cdef const Map* b = <const Map*>board
    cdef const State* s = <const State*>state
    cdef int i
    if s.decision in (BUILDING, EXPANDING):
        return legal_steps(b, s, out)
    if s.decision == CHOOSING_START:                # RL-5
        for i in range(b.n_starts):
            out[i] = pack(DO_START, b.start_hex[i], 0)
        return b.n_starts
    if s.decision in (ANSWERING_LINE, ANSWERING_RUN):
        out[0] = pack(DO_ACCEPT, 0, 0)
        out[1] = pack(DO_REFUSE, 0, 0)
        return 2
    if s.decision == ENTERING:
        return legal_entries(b, s, out)
    if s.decision in (NAMING, REPAIRING):
        return legal_routes(b, s, out)
    return outcomes(b, s, out)

cdef bint accepts(const void* board, const void* state, Move move) noexcept nogil:
    """Beyond `legal`: a segment from its other end, an entry without a candidate, an explicit route (section 10)."""
    cdef const Map* b = <const Map*>board
    cdef const State* s = <const State*>state
    cdef int kind = move_kind(move), a = move_a(move), i, n
    cdef Move out[MAX_STEPS]
    if kind == DO_BUILD and s.decision in (BUILDING, EXPANDING):
        return a < b.n_hexes and move_b(move) < b.n_hexes and build_fault(b, s, a, move_b(move)) == 0
    if kind == DO_ALONE and s.decision == ENTERING:
        return True
    if kind == DO_OFFER and s.decision == ENTERING:
        return a < s.n_players and run_offer_fault(s, a) == 0
    if kind == DO_EXPLICIT and s.decision in (NAMING, REPAIRING):
        return s.draft.is_named
    n = legal(board, state, out)
    for i in range(n):
        if out[i] == move:
            return True
    return False

# --- building: where and at what price ----------------------------------------------
cdef inline int builders(const State* s, int* player) noexcept nogil:
    """Who builds now: one player, or the two of a joint line (RL-58); how many."""
    player[0] = expander(s) if s.decision == EXPANDING else s.turn
    player[1] = s.partner
    return 1 if s.decision == EXPANDING or s.partner == NOBODY else 2

cdef inline int bill(const Map* b, const State* s, int builder, int builder_bits, int u, int v, int segment, int* parallel_bits,
                     int* join_bits, int* parallel_fee) noexcept nogil:
    """RL-16 to RL-18: which rivals the builder pays for a segment from u to v, what a parallel one costs; the sum."""
    cdef int fee
    parallel_bits[0] = s.owner_bits[segment] & ~builder_bits
    join_bits[0] = 0
    if b.city[v] == NO_HEX and not (s.touch_bits[v] >> builder) & 1:
        join_bits[0] = s.touch_bits[v] & ~builder_bits & ~parallel_bits[0]      # (b)
    if not parallel_bits[0]:
        return JOIN_FEE * bit_count(join_bits[0])
    fee = 2 * HALF_HEX_FEE                                                      # (a)
    if s.choice[CITY_PARALLEL_FREE]:
        fee -= HALF_HEX_FEE * ((b.city[u] != NO_HEX) + (b.city[v] != NO_HEX))
    if s.choice[DEFERRED_JOIN_FEE] and b.city[u] != NO_HEX:
        fee += JOIN_FEE
    parallel_fee[0] = fee
    return fee * bit_count(parallel_bits[0]) + JOIN_FEE * bit_count(join_bits[0])

cdef inline int fees_of(const Map* b, const State* s, int builder, int builder_bits, int u, int v, int segment) noexcept nogil:
    cdef int parallel_bits, join_bits, parallel_fee = 0
    return bill(b, s, builder, builder_bits, u, v, segment, &parallel_bits, &join_bits, &parallel_fee)

cdef inline int buildable_bits(const Map* b, const State* s, int u) noexcept nogil:
    """RL-9, RL-11, RL-60: the directions in which the map allows a segment from u."""
    return b.home_bits[u] | (b.border_bits[u] if s.choice[ADVANCED] else 0)

cdef int price_fault(const Map* b, const State* s, const int* player, int n, int u, int v, int segment) noexcept nogil:
    """The last checks of RL-9: already built, first direction, pips or limit, fees."""
    cdef int builder_bits = 1 << player[0] | (1 << player[1] if n == 2 else 0)
    cdef int i, j, total
    if s.owner_bits[segment] & builder_bits:
        return ALREADY_BUILT
    if b.distinct_first_edges:                                      # RL-12
        for i in range(n):
            if s.n_segments[player[i]] == 0:
                for j in range(s.n_players):
                    if s.first_edge[j] == segment:
                        return START_TAKEN
    if s.decision == EXPANDING:                                     # RL-49: the account pays for both
        total = b.cost[segment] + fees_of(b, s, player[0], builder_bits, u, v, segment)
        if total > s.limit[player[0]]:
            return OVER_LIMIT
        return NO_POINTS if total > s.account[player[0]] else 0
    if b.cost[segment] > s.pips:
        return NO_PIPS
    for i in range(n):                                              # RL-22
        if fees_of(b, s, player[i], builder_bits, u, v, segment) > s.account[player[i]]:
            return NO_POINTS
    return 0

cdef int build_fault(const Map* b, const State* s, int u, int v) noexcept nogil:
    """Why the segment from u to v may not be built now, by the checks of RL-9 in their order; 0: it may."""
    cdef int player[2]
    cdef int n = builders(s, player), d = direction_to(b, u, v), i
    for i in range(n):                                              # RL-10, RL-58
        if not has_land(&s.network[player[i]], u):
            return NOT_CONNECTED
    if d == N_DIRECTIONS:                                           # RL-61
        return BLOCKED
    if b.is_abroad[u]:                                              # RL-60
        return ENDS_ABROAD
    if not (buildable_bits(b, s, u) >> d) & 1:                      # RL-11
        return BORDER
    return price_fault(b, s, player, n, u, v, b.segment[u][d])

cdef int legal_steps(const Map* b, const State* s, Move* out) noexcept nogil:
    """A build step of construction or of expansion."""
    cdef int q, i, n = 0
    if s.decision == BUILDING and s.choice[JOINT_LINES]:
        for q in range(s.n_players):
            if line_offer_fault(s, q) == 0:
                out[n] = pack(DO_OFFER, q, 0)
                n += 1
    n += legal_segments(b, s, out + n)
    out[n] = pack(DO_END, 0, 0)
    n += 1
    if s.decision == BUILDING and may_declare(b, s):
        out[n] = pack(DO_DECLARE, 0, 0)
        n += 1
    for i in range(b.n_ferries):
        if ferry_fault(b, s, i) == 0:
            out[n] = pack(DO_FERRY, i, 0)
            n += 1
    return n

cdef int legal_segments(const Map* b, const State* s, Move* out) noexcept nogil:
    """Every legal segment once. With both ends in the network it stands there from the smaller hex, unless the fees
    differ (DEFERRED_JOIN_FEE), which makes it two moves."""
    cdef int player[2]
    cdef int n_builders = builders(s, player)
    cdef int most = min(s.limit[player[0]], s.account[player[0]]) if s.decision == EXPANDING else s.pips
    if most == 0:
        return 0
    if n_builders == 2 or s.choice[CITY_PARALLEL_FREE] or s.choice[DEFERRED_JOIN_FEE] or (
            b.distinct_first_edges and s.n_segments[player[0]] == 0):
        return list_segments(b, s, player, n_builders, out)
    return list_usual_segments(b, s, player[0], most, out)

cdef int list_usual_segments(const Map* b, const State* s, int player, int most, Move* out) noexcept nogil:
    """For one builder and the usual fees: of what is open only the price can forbid anything (RL-13, RL-16)."""
    cdef const Branches* cheap = &b.cheap[min(most, MOST_COST)]
    cdef int me = 1 << player, i, branch, v, owner_bits, here, price, found = 0
    cdef bint is_expanding = s.decision == EXPANDING
    cdef int funds = most if is_expanding else s.account[player]
    cdef bint is_rich = not is_expanding and funds >= 2 * HALF_HEX_FEE * (s.n_players - 1)      # no fees are too high
    cdef uint64_t word
    for i in range((2 * b.n_segments + 63) // 64):
        word = s.open[player].word[i] & cheap.word[i]
        while word:
            branch = i * 64 + lowest_bit(word)
            word &= word - 1
            here = 0 if is_rich else s.touch_bits[b.branch_to[branch]]
            if here:                            # somebody is there: not only the terrain costs
                v, owner_bits = b.branch_to[branch], s.owner_bits[b.branch_segment[branch]]
                price = 2 * HALF_HEX_FEE * SEATS_OF[owner_bits] + (b.cost[b.branch_segment[branch]] if is_expanding else 0)
                if not here & me and b.city[v] == NO_HEX:
                    price += JOIN_FEE * SEATS_OF[here & ~owner_bits]
                if price > funds:
                    continue
            out[found] = b.branch_move[branch]
            found += 1
    return found

cdef uint8_t[64] SEATS_OF       # how many seats a set of six has
for _bits in range(64):
    SEATS_OF[_bits] = _bits.bit_count()

cdef int list_segments(const Map* b, const State* s, const int* player, int n_builders, Move* out) noexcept nogil:
    cdef Land own
    cdef int16_t hexes[MAX_LAND]
    cdef int i, n, u, v, d, bits, segment, found = 0
    own = s.network[player[0]]
    if n_builders == 2:
        for i in range(LAND_WORDS):
            own.word[i] &= s.network[player[1]].word[i]
    n = list_land(&own, hexes)
    for i in range(n):
        u = hexes[i]
        bits = buildable_bits(b, s, u)
        while bits:
            d = lowest_bit(bits)
            bits &= bits - 1
            v, segment = b.neighbour[u][d], b.segment[u][d]
            if d < N_DIRECTIONS // 2 and has_land(&own, v) and not b.is_abroad[v] and (
                    not s.choice[DEFERRED_JOIN_FEE] or is_same_from_there(b, s, player, n_builders, u, v, segment)):
                continue
            if price_fault(b, s, player, n_builders, u, v, segment) == 0:
                out[found] = pack(DO_BUILD, u, v)
                found += 1
    return found

cdef bint is_same_from_there(const Map* b, const State* s, const int* player, int n, int u, int v, int segment) noexcept nogil:
    """Can the segment be built from v too, and for the same fees?"""
    cdef int builder_bits = 1 << player[0] | (1 << player[1] if n == 2 else 0)
    cdef int i
    if price_fault(b, s, player, n, v, u, segment) != 0:
        return False
    for i in range(n):
        if fees_of(b, s, player[i], builder_bits, u, v, segment) != fees_of(b, s, player[i], builder_bits, v, u, segment):
            return False
    return True

cdef inline int n_open_cities(const Map* b, const State* s) noexcept nogil:
    """RL-23: the cities that no track touches and where nobody began."""
    return bit_count(b.city_bits & ~s.connected_bits)

cdef inline bint may_declare(const Map* b, const State* s) noexcept nogil:
    """RL-24."""
    return s.declared == 0 and n_open_cities(b, s) == 1

cdef int ferry_fault(const Map* b, const State* s, int i) noexcept nogil:
    """RL-63, RL-64: why the link may not be bought now; 0: it may."""
    cdef int player[2]
    cdef int j, n, owned = 0
    cdef const Ferry* ferry = &b.ferry[i]
    if not s.choice[ADVANCED]:
        return NOT_ADVANCED
    n = builders(s, player)
    if n == 2:                                  # RL-58
        return JOINT_LINE
    if s.ferry_owner[i] != NOBODY:
        return OWNED
    if not (s.touch_bits[ferry.port] >> player[0]) & 1:
        return NOT_AT_PORT
    for j in range(b.n_ferries):
        owned += s.ferry_owner[j] == player[0]
    if owned >= b.ferries_per_player:
        return FERRY_LIMIT
    for j in range(b.n_ferries):
        if b.different_ports and s.ferry_owner[j] == player[0] and b.ferry[j].port == ferry.port:
            return SAME_PORT
    if s.decision == EXPANDING and ferry.price > s.limit[player[0]]:
        return FERRY_OVER_LIMIT
    return FERRY_NO_POINTS if ferry.price > s.account[player[0]] else 0

cdef int line_offer_fault(const State* s, int partner) noexcept nogil:
    """RL-58: why the player in turn may not offer the other a joint line; 0: it may."""
    cdef uint64_t common = 0
    cdef int i
    if not s.choice[JOINT_LINES]:
        return OFFERS_OFF
    if partner == s.turn or (s.used_bits >> partner) & 1 or not s.is_first_step or s.partner != NOBODY:
        return NOT_NOW
    if (s.refused_bits >> partner) & 1:
        return HAS_REFUSED
    if s.n_segments[s.turn] == 0 or s.n_segments[partner] == 0:
        return NO_LINES
    for i in range(LAND_WORDS):
        common |= s.network[s.turn].word[i] & s.network[partner].word[i]
    return 0 if common else NO_COMMON_HEX

# --- chance: dice and draws ----------------------------------------------------------
cdef int chance(const void* board, const void* state, Move* out, int* weight) noexcept nogil:
    """Every outcome is as likely as the next but for the sum of two dice (RL-7)."""
    cdef const State* s = <const State*>state
    cdef int i, n = outcomes(<const Map*>board, s, out)
    for i in range(n):
        weight[i] = 1
    if s.decision in (THROWING, THROWING_FOR_LINE) and s.choice[DICE] == 2:
        for i in range(n):
            weight[i] = 6 - abs(7 - move_a(out[i]))
    return n

cdef int outcomes(const Map* b, const State* s, Move* out) noexcept nogil:
    cdef int i, first, last, kind
    if s.decision == DRAWING_START:
        return start_outcomes(b, s, out)
    if s.decision == DRAWING_GOAL:
        return goal_outcomes(b, s, out)
    if s.decision == FIRST_PLAYER:                  # RL-4
        kind, first, last = DO_FIRST, 0, s.n_players - 1
    elif s.decision == RUNNING:                     # RL-42
        kind, first, last = DO_DIE, 1, 6
    elif s.choice[DICE] == 1:                       # RL-56
        kind, first, last = DO_THROW, 1, 6
    else:
        kind, first, last = DO_THROW, 2, 12
    for i in range(first, last + 1):
        out[i - first] = pack(kind, i, 0)
    return last - first + 1

cdef void measure(const Map* b, const State* s, int from_hex, int most, int16_t* distance) noexcept nogil:
    """RL-28: the shortest ways over the track of all players and the ferries bought; none leads through a foreign hex
    (RL-62). FAR where there is no way, or none as short as `most`."""
    cdef int16_t queue[MAX_LAND]
    cdef int head = 0, tail = 1, i, here, there, bits
    for i in range(b.n_hexes):
        distance[i] = FAR
    distance[from_hex] = 0
    queue[0] = from_hex
    while head < tail:
        here = queue[head]
        head += 1
        if b.is_abroad[here] or distance[here] == most:
            continue
        bits = s.built_bits[here]
        while bits:
            there = b.neighbour[here][lowest_bit(bits)]
            bits &= bits - 1
            if distance[there] == FAR:
                distance[there] = distance[here] + 1
                queue[tail] = there
                tail += 1
    for i in range(b.n_ferries):
        if s.ferry_owner[i] != NOBODY and distance[b.ferry[i].port] + b.ferry[i].length < distance[b.ferry[i].landing]:
            distance[b.ferry[i].landing] = distance[b.ferry[i].port] + b.ferry[i].length

cdef void mark_pieces(const Map* b, const State* s, int16_t* piece) noexcept nogil:
    """Gives every city the number of the piece of track it belongs to, NO_HEX without track."""
    cdef int16_t queue[MAX_LAND]
    cdef int16_t mark[MAX_LAND]
    cdef int head, tail, i, here, there, bits
    memset(mark, 0xFF, sizeof(mark))
    for i in range(b.n_cities):
        queue[0] = b.city_hex[i]
        head, tail = 0, 1
        if mark[queue[0]] == NO_HEX and s.built_bits[queue[0]]:
            mark[queue[0]] = i
            while head < tail:
                here = queue[head]
                head += 1
                bits = s.built_bits[here]
                while bits:
                    there = b.neighbour[here][lowest_bit(bits)]
                    bits &= bits - 1
                    if mark[there] == NO_HEX and not b.is_abroad[there]:
                        mark[there] = i
                        queue[tail] = there
                        tail += 1
        piece[i] = mark[b.city_hex[i]]

cdef inline bint is_used_up(const Map* b, const State* s, int number) noexcept nogil:
    """RL-54: each number is start or goal once in the shorter game, twice in the longer one."""
    cdef int races = s.choice[RACES]
    return races > 0 and s.times_used[number] >= (2 if races == b.n_numbers else 1)

cdef inline bint is_in_play(const Map* b, const State* s, int number) noexcept nogil:
    return b.city_of[number] != NO_HEX and not is_used_up(b, s, number)

cdef int start_outcomes(const Map* b, const State* s, Move* out) noexcept nogil:
    """RL-29, RL-66: the numbers that qualify as start."""
    cdef const int16_t* piece = pieces_of(b, s)
    cdef int number, n = 0
    for number in range(N_NUMBERS):
        if is_in_play(b, s, number) and has_goal(b, s, b.city_of[number], piece):
            out[n] = pack(DO_FROM, number, 0)
            n += 1
    return n

cdef bint has_goal(const Map* b, const State* s, int city, const int16_t* piece) noexcept nogil:
    """RL-29: does any goal qualify from this city? Ways over land that are long enough need not be measured on track."""
    cdef int16_t distance[MAX_LAND]
    cdef int number, other
    cdef bint is_near = False
    if piece[city] == NO_HEX:
        return False
    if s.is_special:
        return has_row(b, s, city)
    for number in range(N_NUMBERS):
        other = b.city_of[number]
        if other != NO_HEX and other != city and piece[other] == piece[city] and not is_used_up(b, s, number):
            if b.distance[city][b.city_hex[other]] >= s.least_distance:
                return True
            is_near = True
    if not is_near:
        return False
    measure(b, s, b.city_hex[city], FAR, distance)
    for number in range(N_NUMBERS):
        if is_in_play(b, s, number) and s.least_distance <= distance[b.city_hex[b.city_of[number]]] < FAR:
            return True
    return False

cdef bint has_row(const Map* b, const State* s, int city) noexcept nogil:
    """RL-66: has any row of the table an available goal?"""
    cdef int16_t distance[MAX_LAND]
    cdef int row
    measure(b, s, b.city_hex[city], FAR, distance)
    for row in range(b.n_rows):
        if has_available(b, s, row, distance):
            return True
    return False

cdef bint has_available(const Map* b, const State* s, int row, const int16_t* distance) noexcept nogil:
    """RL-69."""
    cdef int16_t hexes[MAX_LAND]
    cdef int i, n = list_land(&b.row_goals[row], hexes)
    for i in range(n):
        if s.least_distance <= distance[hexes[i]] < FAR:
            return True
    return False

cdef int goal_outcomes(const Map* b, const State* s, Move* out) noexcept nogil:
    """RL-29, RL-69: the numbers, or the rows of the table, that qualify as goal."""
    cdef int16_t distance[MAX_LAND]
    cdef const int16_t* piece
    cdef int i, n = 0, start = b.city[s.race_start], city
    if s.is_special:
        measure(b, s, s.race_start, FAR, distance)
        for i in range(b.n_rows):
            if has_available(b, s, i, distance):
                out[n] = pack(DO_TO, i, 0)
                n += 1
        return n
    piece = pieces_of(b, s)
    if piece[start] == NO_HEX:
        return 0
    measure(b, s, s.race_start, s.least_distance - 1, distance)     # what has a way, and none too short
    for i in range(N_NUMBERS):
        city = b.city_of[i]
        if is_in_play(b, s, i) and piece[city] == piece[start] and distance[b.city_hex[city]] == FAR:
            out[n] = pack(DO_TO, i, 0)
            n += 1
    return n

# --- entering ------------------------------------------------------------------------
cdef int asked(const State* s) noexcept nogil:
    """RL-31: the first in order who has not answered."""
    cdef int i, player
    for i in range(s.n_players):
        player = clockwise(s, s.opener, i)
        if s.entry[player] == UNANSWERED:
            return player
    return NOBODY

cdef int run_offer_fault(const State* s, int partner) noexcept nogil:
    """RL-33: why the player who is asked may not propose a joint run to the other; 0: it may."""
    if s.n_players < 3:
        return TWO_PLAYERS
    if not s.choice[JOINT_RUNS]:
        return OFFERS_OFF
    if s.entry[partner] != UNANSWERED or partner == asked(s):
        return HAS_ANSWERED
    return HAS_REFUSED if (s.refused_bits >> partner) & 1 else 0

cdef int legal_entries(const Map* b, const State* s, Move* out) noexcept nogil:
    """Section 10: who has not answered yet counts as entered alone; with a joint run nothing is set off."""
    cdef Known* known = known_of(b, s)
    cdef int player = asked(s), q, hoped = 0, n = 1
    for q in range(s.n_players):
        if q != player and s.entry[q] in (UNANSWERED, ALONE):
            hoped |= 1 << q
    out[0] = pack(DO_OUT, 0, 0)
    if can_run(b, s, known, player, NOBODY, hoped):
        out[n] = pack(DO_ALONE, 0, 0)
        n += 1
    for q in range(s.n_players):
        if run_offer_fault(s, q) == 0 and can_run(b, s, known, player, q, 0):
            out[n] = pack(DO_OFFER, q, 0)
            n += 1
    return n

# --- races: what a thread remembers ------------------------------------------------------
cdef extern from *:
    """
    static __thread long long memory_of_thread[7168];
    """
    long long* memory_of_thread

assert sizeof(Known) <= 7168 * 8

cdef Known* known_of(const Map* b, const State* s) noexcept nogil:
    """Whoever is asked is asked again after every refusal, and the next about the same track. What was found out stays
    known as long as nothing changes that the answers depend on; to compare those bytes costs next to nothing."""
    cdef Known* known = <Known*>memory_of_thread
    cdef bint is_same = known.board == b.serial and known.n_players == s.n_players and memcmp(known.given, s, sizeof(known.given)) == 0
    if not is_same:
        known.board, known.n_players = b.serial, s.n_players
        memcpy(known.given, s, sizeof(known.given))
        known.has_pieces = False
    if not is_same or known.race_start != s.race_start or memcmp(&known.goals, &s.goals, sizeof(Land)) != 0:
        known.race_start, known.goals = s.race_start, s.goals
        memset(known.can_run, UNKNOWN, sizeof(known.can_run))
        known.ways.is_known = False
        known.n_routes = UNKNOWN
    return known

cdef const int16_t* pieces_of(const Map* b, const State* s) noexcept nogil:
    """Asked whether there is a start, which there are, and which goals."""
    cdef Known* known = known_of(b, s)
    if not known.has_pieces:
        mark_pieces(b, s, known.piece)
        known.has_pieces = True
    return known.piece

cdef bint can_run(const Map* b, const State* s, Known* known, int p, int q, int set_off_bits) noexcept nogil:
    """Has p, alone or with q, a route candidate?"""
    cdef int other = p if q == NOBODY else q
    if known.can_run[p][other] == UNKNOWN or known.set_off_bits[p][other] != set_off_bits:
        known.can_run[p][other] = has_candidate(b, s, &known.ways, p, q, set_off_bits)
        known.set_off_bits[p][other] = set_off_bits
    return known.can_run[p][other]

# --- routes --------------------------------------------------------------------------
include "rail_routes.pxi"

# --- apply -------------------------------------------------------------------------
cdef void apply(const void* board, void* state, Move move) noexcept nogil:
    cdef const Map* b = <const Map*>board
    cdef State* s = <State*>state
    cdef int kind = move_kind(move), a = move_a(move)
    if kind == DO_BUILD:
        build(b, s, a, move_b(move))
    elif kind == DO_END:
        end_building(b, s)
    elif kind == DO_DIE:
        throw_die(b, s, a)
    elif kind == DO_THROW:
        throw_dice(s, a)
    elif kind == DO_FIRST:
        s.first = a
        begin_round(s)
    elif kind == DO_START:
        begin_at(b, s, s.turn, a)
        s.decision = BUILDING
    elif kind == DO_OFFER:
        s.offered_to = a
        s.decision = ANSWERING_LINE if s.decision == BUILDING else ANSWERING_RUN
    elif kind == DO_ACCEPT or kind == DO_REFUSE:
        answer(b, s, kind == DO_ACCEPT)
    elif kind == DO_DECLARE:
        s.declared = s.round
        s.is_first_step = 0
    elif kind == DO_FERRY:
        buy_ferry(b, s, a)
    elif kind == DO_FROM:
        draw_start(b, s, a)
    elif kind == DO_TO:
        draw_goal(b, s, a)
    elif kind == DO_OUT:
        s.entry[asked(s)] = OUT
        ask_next(b, s)
    elif kind == DO_ALONE:
        enter_train(s, asked(s), NOBODY)
        ask_next(b, s)
    elif kind == DO_WITHDRAW:
        withdraw(b, s)
    else:
        name_route(b, s, move)

# --- apply: rounds and turns ---------------------------------------------------------
cdef void begin_round(State* s) noexcept nogil:
    s.used_bits = 0
    s.turn = s.first
    s.decision = THROWING

cdef void throw_dice(State* s, int pips) noexcept nogil:
    """RL-7; RL-57: a shared throw is made once and stays for the round; RL-58: three quarters of both throws."""
    if s.decision == THROWING_FOR_LINE:
        s.pips = 3 * (s.pips + pips) // 4
        s.decision = BUILDING
        return
    s.pips = s.shared_pips = pips
    begin_building(s)

cdef void begin_building(State* s) noexcept nogil:
    """RL-7: in the first turn the player chooses a start city after the throw."""
    s.is_first_step = 1
    s.partner = NOBODY
    s.refused_bits = 0
    s.decision = CHOOSING_START if s.start[s.turn] == NO_HEX and s.n_segments[s.turn] == 0 else BUILDING

cdef void answer(const Map* b, State* s, bint accepted) noexcept nogil:
    """To the offer of a joint line (RL-58) or of a joint run (RL-33); refused, the proposer chooses again."""
    cdef int partner = s.offered_to
    s.offered_to = NOBODY
    if not accepted:
        s.refused_bits |= 1 << partner
        s.decision = BUILDING if s.decision == ANSWERING_LINE else ENTERING
    elif s.decision == ANSWERING_LINE:
        s.partner = partner
        s.decision = THROWING_FOR_LINE
        if s.choice[SHARED_THROW]:              # RL-57: it is the partner's throw too
            throw_dice(s, s.shared_pips)
    else:
        enter_train(s, asked(s), partner)
        ask_next(b, s)

cdef void end_building(const Map* b, State* s) noexcept nogil:
    """The player builds no more: in construction (RL-8) or after a race (RL-51)."""
    if s.decision == EXPANDING:
        s.limit[expander(s)] = 0
        expand_or_go_on(b, s)
    else:
        end_turn(b, s)

cdef void end_turn(const Map* b, State* s) noexcept nogil:
    """RL-6, RL-8: pips left are lost; the next player's turn, or the next round, or the end of the phase."""
    cdef int i, player, next_ = NOBODY
    cdef bint is_last_turn = n_open_cities(b, s) == 0           # RL-23
    s.pips = 0
    s.used_bits |= 1 << s.turn
    if s.partner != NOBODY:                                     # RL-58: both turns of the round are used up
        s.used_bits |= 1 << s.partner
        s.partner = NOBODY
    for i in range(s.n_players):
        player = clockwise(s, s.first, i)
        if next_ == NOBODY and not (s.used_bits >> player) & 1:
            next_ = player
    if next_ != NOBODY:
        if is_last_turn:
            end_construction(b, s, next_)
            return
        s.turn = next_
        s.decision = THROWING
        if s.choice[SHARED_THROW]:                              # RL-57
            s.pips = s.shared_pips
            begin_building(s)
        return
    if is_last_turn or s.round >= LAST_ROUND or (s.declared and s.round >= s.declared + ROUNDS_AFTER_DECLARATION):
        end_construction(b, s, clockwise(s, s.first, 1))        # RL-24, RL-25a
        return
    s.round += 1
    s.first = clockwise(s, s.first, 1)                          # RL-6
    begin_round(s)

cdef void end_construction(const Map* b, State* s, int opener) noexcept nogil:
    """RL-25: who would have the next turn opens the first race."""
    s.opener = opener
    draw_race(b, s)

# --- apply: building -------------------------------------------------------------------
cdef void build(const Map* b, State* s, int u, int v) noexcept nogil:
    """One segment: the pips, the fees (RL-21), the track, the premium (RL-14)."""
    cdef int player[2]
    cdef int n = builders(s, player), builder_bits = 1 << player[0] | (1 << player[1] if n == 2 else 0)
    cdef int segment = b.segment[u][direction_to(b, u, v)], cost = b.cost[segment], i, total = 0
    cdef bint is_premium = s.decision == BUILDING and b.city[v] != NO_HEX and not (s.connected_bits >> b.city[v]) & 1
    for i in range(n):
        total = pay_fees_of_building(b, s, player[i], builder_bits, u, v, segment)
    s.build_cost += cost
    for i in range(n):
        lay(b, s, player[i], segment)
        if is_premium:                                          # RL-58: 3 and 3
            s.account[player[i]] += PREMIUM // n
            s.premiums[player[i]] += PREMIUM // n
    if s.decision == BUILDING:
        s.pips -= cost
        s.is_first_step = 0
        return
    s.account[player[0]] -= cost                                # RL-49
    s.limit[player[0]] -= cost + total
    expand_or_go_on(b, s)

cdef int pay_fees_of_building(const Map* b, State* s, int builder, int builder_bits, int u, int v, int segment) noexcept nogil:
    """RL-16, RL-17: each rival by itself; the sum."""
    cdef int parallel_bits, join_bits, parallel_fee = 0, rival, fee
    cdef int total = bill(b, s, builder, builder_bits, u, v, segment, &parallel_bits, &join_bits, &parallel_fee)
    if total == 0:
        return 0
    for rival in range(s.n_players):
        fee = ((parallel_bits >> rival) & 1) * parallel_fee + ((join_bits >> rival) & 1) * JOIN_FEE
        s.account[rival] += fee
        s.build_fees[builder][rival] += fee
    s.account[builder] -= total
    return total

cdef void buy_ferry(const Map* b, State* s, int i) noexcept nogil:
    """RL-63."""
    cdef int player[2]
    builders(s, player)
    s.ferry_owner[i] = player[0]
    s.account[player[0]] -= b.ferry[i].price
    if s.decision == BUILDING:
        s.is_first_step = 0
    else:
        s.limit[player[0]] -= b.ferry[i].price
        expand_or_go_on(b, s)

# --- apply: start and goal -------------------------------------------------------------
cdef void draw_race(const Map* b, State* s) noexcept nogil:
    """RL-29, RL-30, RL-59a, RL-66: on to the draw of the start, or of the goal, or to the end of the game."""
    cdef Move out[N_NUMBERS]
    cdef int chained = s.chained_start, special
    s.race_start = s.chained_start = NO_HEX
    memset(&s.goals, 0, sizeof(Land))
    s.least_distance = b.least_distance
    s.decision = DRAWING_START
    for special in range(1 if is_special_race(b, s) else 0, -1, -1):    # RL-66: without a special start an ordinary race
        s.is_special = special
        if chained != NO_HEX:                                           # RL-59a
            s.race_start = chained
            if goal_outcomes(b, s, out) > 0:
                s.decision = DRAWING_GOAL
                return
            s.race_start = NO_HEX
        if has_start(b, s):
            return
    if s.choice[RACES]:                                                 # RL-30
        s.least_distance = 1
        if has_start(b, s):
            return
    s.decision = GAME_OVER

cdef inline bint is_special_race(const Map* b, const State* s) noexcept nogil:
    """RL-66: by its number the race is special."""
    return s.choice[ADVANCED] and s.race_number % b.special_every == 0

cdef bint has_start(const Map* b, const State* s) noexcept nogil:
    cdef const int16_t* piece = pieces_of(b, s)
    cdef int number
    for number in range(N_NUMBERS):
        if is_in_play(b, s, number) and has_goal(b, s, b.city_of[number], piece):
            return True
    return False

cdef void draw_start(const Map* b, State* s, int number) noexcept nogil:
    """RL-27."""
    s.race_start = b.city_hex[b.city_of[number]]
    use_number(s, number)
    s.decision = DRAWING_GOAL

cdef inline void use_number(State* s, int number) noexcept nogil:
    """RL-54: counted only in the race-count game."""
    if s.choice[RACES]:
        s.times_used[number] += 1

cdef void draw_goal(const Map* b, State* s, int outcome) noexcept nogil:
    """RL-27, RL-69; a special race uses up no goal number (RL-70)."""
    cdef int16_t distance[MAX_LAND]
    cdef int16_t hexes[MAX_LAND]
    cdef int i, n
    memset(&s.goals, 0, sizeof(Land))
    if s.is_special:
        measure(b, s, s.race_start, FAR, distance)
        n = list_land(&b.row_goals[outcome], hexes)
        for i in range(n):
            if s.least_distance <= distance[hexes[i]] < FAR:
                add_land(&s.goals, hexes[i])
    else:
        add_land(&s.goals, b.city_hex[b.city_of[outcome]])
        use_number(s, outcome)
    begin_entering(s)

# --- apply: entering and routes --------------------------------------------------------
cdef void begin_entering(State* s) noexcept nogil:
    memset(s.entry, UNANSWERED, sizeof(s.entry))
    memset(s.train, 0, sizeof(s.train))
    memset(s.path, 0, sizeof(s.path))
    memset(s.paid, 0, sizeof(s.paid))
    memset(s.prize, 0, sizeof(s.prize))
    memset(s.budget, 0, sizeof(s.budget))
    s.n_trains = s.race_over = s.refused_bits = 0
    s.decision = ENTERING

cdef void enter_train(State* s, int player, int partner) noexcept nogil:
    """RL-31, RL-33."""
    cdef Train* t = &s.train[s.n_trains]
    memset(t, 0, sizeof(Train))
    t.member[0], t.member[1] = player, partner
    s.entry[player] = ALONE if partner == NOBODY else JOINT
    if partner != NOBODY:
        s.entry[partner] = JOINT
    s.n_trains += 1

cdef void ask_next(const Map* b, State* s) noexcept nogil:
    s.refused_bits = 0
    s.decision = ENTERING
    if asked(s) == NOBODY:
        go_on_naming(b, s)

cdef void name_route(const Map* b, State* s, Move move) noexcept nogil:
    """RL-34: a candidate, found again by its pips and fee, or the explicit route that was drafted."""
    cdef Known* known
    cdef Search search
    cdef int train = naming(b, s), i
    if move_kind(move) == DO_EXPLICIT:
        s.train[train] = s.draft
        s.path[train] = s.draft_path
    elif has_known_routes(b, s, train):         # most were listed just now
        known = known_of(b, s)
        for i in range(known.n_routes):
            if known.route_move[i] == move:
                take_known(known, i, &s.train[train], &s.path[train])
    else:
        find_candidates(b, s, train, move_b(move), move_a(move), &search)
        for i in range(search.n_found):
            if route_move(&search, i) == move:
                take_route(b, s, &search, search.found[i], &s.train[train], &s.path[train])
    forget_draft(s)
    go_on_naming(b, s)

cdef void forget_draft(State* s) noexcept nogil:
    memset(&s.draft, 0, sizeof(Train))
    memset(&s.draft_path, 0, sizeof(Path))
    memset(s.draft_payee, 0, sizeof(s.draft_payee))

cdef void withdraw(const Map* b, State* s) noexcept nogil:
    """RL-31, RL-38: the train is gone."""
    cdef int train = naming(b, s)
    s.n_trains -= 1
    memmove(&s.train[train], &s.train[train + 1], (s.n_trains - train) * sizeof(Train))
    memmove(&s.path[train], &s.path[train + 1], (s.n_trains - train) * sizeof(Path))
    memset(&s.train[s.n_trains], 0, sizeof(Train))
    memset(&s.path[s.n_trains], 0, sizeof(Path))
    forget_draft(s)
    go_on_naming(b, s)

cdef void go_on_naming(const Map* b, State* s) noexcept nogil:
    """RL-38: when all routes are named, repairs as long as anyone offends; then the race is paid for and run."""
    s.decision = NAMING
    if naming(b, s) != NOBODY:
        return
    if offender(s) != NOBODY:
        s.decision = REPAIRING
        return
    pay_fees(s)
    begin_running(b, s)

cdef int net_fees(const State* s, int train, int* net) noexcept nogil:
    """RL-37: what the train still owes each rival after setting off; the sum."""
    cdef const Train* t = &s.train[train]
    cdef int rival, i, total = 0
    for rival in range(s.n_players):
        net[rival] = t.fee[rival]
    if t.member[1] == NOBODY:
        for i in range(s.n_trains):
            if i != train and s.train[i].member[1] == NOBODY:
                net[s.train[i].member[0]] -= s.train[i].fee[t.member[0]]
    for rival in range(s.n_players):
        if net[rival] < 0:
            net[rival] = 0
        total += net[rival]
    return total

cdef int offender(const State* s) noexcept nogil:
    """RL-38: the first train, in order, that owes someone more than 10 net or cannot pay what it owes net."""
    cdef int net[MAX_PLAYERS]
    cdef int i, rival, total
    for i in range(s.n_trains):
        total = net_fees(s, i, net)
        if not is_payable(s, s.train[i].member[0], s.train[i].member[1], total):
            return i
        for rival in range(s.n_players):
            if net[rival] > MOST_TO_ONE_RIVAL:
                return i
    return NOBODY

cdef void pay_fees(State* s) noexcept nogil:
    """RL-39: all at the same moment."""
    cdef int net[MAX_PLAYERS]
    cdef int change[MAX_PLAYERS]
    cdef int share[2]
    cdef int i, rival, total
    cdef const Train* t
    memset(change, 0, sizeof(change))
    for i in range(s.n_trains):
        t = &s.train[i]
        total = net_fees(s, i, net)
        fee_shares(s, t.member[0], t.member[1], total, share)
        change[t.member[0]] -= share[0]
        if t.member[1] != NOBODY:
            change[t.member[1]] -= share[1]
        for rival in range(s.n_players):
            change[rival] += net[rival]
            s.paid[t.member[0]][rival] = net[rival]
    for i in range(s.n_players):
        s.account[i] += change[i]

# --- apply: running ----------------------------------------------------------------------
cdef void begin_running(const Map* b, State* s) noexcept nogil:
    """RL-32, RL-41: without a second train nothing is run."""
    if s.n_trains < 2:
        end_race(b, s)
        return
    s.race_round = 1
    s.thrower = 0
    s.decision = RUNNING

cdef void throw_die(const Map* b, State* s, int pips) noexcept nogil:
    """RL-42, RL-44: the next train of this round throws and moves; RL-45: the round is always finished."""
    cdef Train* t = &s.train[s.thrower]
    cdef int i, arrived = 0
    t.thrown += pips
    if t.thrown >= t.pips:
        t.arrived = s.race_round
    for i in range(s.thrower + 1, s.n_trains):
        if not s.train[i].arrived:
            s.thrower = i
            return
    for i in range(s.n_trains):
        arrived += s.train[i].arrived > 0
    if arrived >= 2:                                            # RL-46
        end_race(b, s)
        return
    s.race_round += 1
    for i in range(s.n_trains - 1, -1, -1):
        if not s.train[i].arrived:
            s.thrower = i

cdef int place_of(const State* s, int train, int* tied) noexcept nogil:
    """RL-45, RL-47: how many trains are ahead, and how many share the place, this one included."""
    cdef const Train* t = &s.train[train]
    cdef const Train* other
    cdef int i, ahead = 0
    tied[0] = 0
    for i in range(s.n_trains):
        other = &s.train[i]
        if not other.arrived or other.arrived > t.arrived:
            continue
        if other.arrived < t.arrived or other.thrown - other.pips > t.thrown - t.pips:
            ahead += 1
        elif other.thrown - other.pips == t.thrown - t.pips:
            tied[0] += 1
    return ahead

cdef int prize_of(const State* s, int train) noexcept nogil:
    """RL-41, RL-46, RL-47."""
    cdef int tied, ahead, points = 0
    if s.n_trains == 1:
        return FIRST_PRIZE
    if not s.train[train].arrived:
        return 0
    ahead = place_of(s, train, &tied)
    if ahead == 0:
        points = FIRST_PRIZE + (SECOND_PRIZE if tied > 1 else 0)
    elif ahead == 1:
        points = SECOND_PRIZE
    return points // tied

cdef void end_race(const Map* b, State* s) noexcept nogil:
    """RL-46 to RL-48: prizes and incomes; then the end of the game, or expansion, or the next race."""
    cdef int i, p, q, points
    for i in range(s.n_trains):
        p, q = s.train[i].member[0], s.train[i].member[1]
        points = prize_of(s, i)
        if q == NOBODY:
            s.prize[p] = points
        elif s.account[p] <= s.account[q]:                      # RL-33: the odd point goes to the poorer
            s.prize[p], s.prize[q] = points - points // 2, points // 2
        else:
            s.prize[p], s.prize[q] = points // 2, points - points // 2
    for p in range(s.n_players):
        s.account[p] += s.prize[p]
    s.race_over = 1
    note_chained_start(b, s)
    if is_last_race(s):
        s.decision = GAME_OVER
        return
    for p in range(s.n_players):
        s.limit[p] = s.budget[p] = expansion_limit(s, p)
    expand_or_go_on(b, s)

cdef void note_chained_start(const Map* b, State* s) noexcept nogil:
    """RL-59a: where the next race begins, if that is settled."""
    cdef int i, number, tied
    s.chained_start = NO_HEX
    if not s.choice[CHAINED]:
        return
    if not s.is_special:
        s.chained_start = sole_goal(b, s)
        return
    for i in range(s.n_trains):
        tied = 1
        if s.n_trains == 1 or (s.train[i].arrived and place_of(s, i, &tied) == 0):
            for number in range(N_NUMBERS):
                if tied == 1 and b.city_of[number] != NO_HEX and b.city_hex[b.city_of[number]] == s.train[i].goal:
                    s.chained_start = s.train[i].goal

# --- apply: expansion --------------------------------------------------------------------
cdef int income(const State* s, int player) noexcept nogil:
    """RL-48."""
    cdef int payer, points = s.prize[player]
    for payer in range(s.n_players):
        points += s.paid[payer][player]
    return points

cdef int expansion_limit(const State* s, int player) noexcept nogil:
    """RL-49, or RL-59 in its place."""
    if not s.choice[TEN_PERCENT]:
        return income(s, player)
    if s.race_number % 2 == 1:
        return 0
    if s.account[player] >= SMALL_ACCOUNT:
        return s.account[player] // 10
    return min(SMALL_BUDGET, s.account[player])

cdef int expander(const State* s) noexcept nogil:
    """RL-49: the first in order who has a limit left."""
    cdef int i, player
    for i in range(s.n_players):
        player = clockwise(s, s.opener, i)
        if s.limit[player] > 0:
            return player
    return NOBODY

cdef void expand_or_go_on(const Map* b, State* s) noexcept nogil:
    if expander(s) != NOBODY:
        s.decision = EXPANDING
        return
    s.race_number += 1
    s.opener = clockwise(s, s.opener, 1)                        # RL-26
    draw_race(b, s)

# --- end and score -----------------------------------------------------------------------
cdef inline int target_of(const State* s) noexcept nogil:
    """RL-52."""
    return 250 if s.n_players <= 3 else 225 if s.n_players == 4 else 200

cdef bint is_last_race(const State* s) noexcept nogil:
    """RL-52, RL-54, RL-55."""
    cdef int player, target = target_of(s)
    if s.choice[RACES]:
        return s.race_number >= s.choice[RACES]
    for player in range(s.n_players):
        if s.account[player] >= target:
            return True
    return s.race_number >= LAST_RACE

cdef void scores(const void* board, const void* state, int* score) noexcept nogil:
    """RL-53: the account."""
    cdef const State* s = <const State*>state
    cdef int player
    for player in range(s.n_players):
        score[player] = s.account[player]

# --- judgement -----------------------------------------------------------------------------
include "rail.pxi"

# --- notation ------------------------------------------------------------------------------
cdef State* AT = NULL
assert <size_t>&AT.decision == GIVEN
cdef Field[47] FIELDS
FIELDS[:] = [
    field(b"track", &AT.owner_bits, 8, MAX_SEGMENTS // 8),      # a byte a segment: the bits of its owners
    field(b"account", &AT.account, 2, MAX_PLAYERS),
    field(b"start", &AT.start, 2, MAX_PLAYERS),
    field(b"firstedge", &AT.first_edge, 2, MAX_PLAYERS),
    field(b"connected", &AT.connected_bits, 8, 1),
    field(b"ferries", &AT.ferry_owner, 1, MAX_FERRIES),
    field(b"decision", &AT.decision, 1, 1),
    field(b"choices", &AT.choice, 1, N_CHOICES, True),
    field(b"round", &AT.round, 1, 1),
    field(b"first", &AT.first, 1, 1),
    field(b"used", &AT.used_bits, 1, 1),
    field(b"turn", &AT.turn, 1, 1),
    field(b"pips", &AT.pips, 1, 1),
    field(b"shared", &AT.shared_pips, 1, 1),
    field(b"declared", &AT.declared, 1, 1),
    field(b"firststep", &AT.is_first_step, 1, 1),
    field(b"partner", &AT.partner, 1, 1),
    field(b"offered", &AT.offered_to, 1, 1),
    field(b"refused", &AT.refused_bits, 1, 1),
    field(b"opener", &AT.opener, 1, 1),
    field(b"race", &AT.race_number, 2, 1),
    field(b"from", &AT.race_start, 2, 1),
    field(b"goals", &AT.goals, 8, LAND_WORDS),
    field(b"special", &AT.is_special, 1, 1),
    field(b"least", &AT.least_distance, 1, 1),
    field(b"chained", &AT.chained_start, 2, 1),
    field(b"numbers", &AT.times_used, 1, N_NUMBERS),
    field(b"entry", &AT.entry, 1, MAX_PLAYERS),
    field(b"ntrains", &AT.n_trains, 1, 1),
    field(b"thrower", &AT.thrower, 1, 1),
    field(b"raceround", &AT.race_round, 2, 1),
    field(b"limit", &AT.limit, 2, MAX_PLAYERS),
    field(b"trains", &AT.train, 2, MAX_PLAYERS * N_TRAIN_FIGURES),
    field(b"over", &AT.race_over, 1, 1),
    field(b"cost", &AT.build_cost, 2, 1),
    field(b"premiums", &AT.premiums, 2, MAX_PLAYERS),
    field(b"buildfees", &AT.build_fees, 2, MAX_PLAYERS * MAX_PLAYERS),
    field(b"paid", &AT.paid, 2, MAX_PLAYERS * MAX_PLAYERS),
    field(b"prize", &AT.prize, 2, MAX_PLAYERS),
    field(b"budget", &AT.budget, 2, MAX_PLAYERS),
    field(b"paths", &AT.path, 8, MAX_PLAYERS * SEGMENT_WORDS),
    field(b"touched", &AT.touch_bits, 1, MAX_LAND, True),
    field(b"built", &AT.built_bits, 1, MAX_LAND, True),
    field(b"network", &AT.network, 8, MAX_PLAYERS * LAND_WORDS, True),
    field(b"segments", &AT.n_segments, 2, MAX_PLAYERS, True),
    field(b"open", &AT.open, 8, MAX_PLAYERS * BRANCH_WORDS, True),
    field(NULL, NULL, 0, 0),
]

cdef GameOps OPS = GameOps(
    name=b"rail", state_size=sizeof(State), key_size=<size_t>&AT.touch_bits, fields=&FIELDS[0],
    start=start, settle=settle, to_move=to_move, legal=legal, chance=chance, accepts=accepts, apply=apply,
    scores=scores, tiebreak=NULL, view=NULL, determinize=NULL,
    evaluate=evaluate, candidates=candidates, priors=priors, advance=advance)

def weight_names() -> tuple[str, ...]:
    cdef Weights weights
    memset(&weights, 0, sizeof(Weights))
    return tuple(<object>weights)

cdef State* state_of(Position position) except NULL:
    if position.ops != &OPS:
        raise TypeError("expected a position of RAIL")
    return <State*>position.state

def routes(Position position not None) -> list[dict]:
    """The route candidates of the decision: pips, fee, and the segments of each."""
    cdef State* s = state_of(position)
    cdef const Map* b = <const Map*>position.board.data
    cdef Search search
    cdef Train train
    cdef Path path
    cdef int i
    if s.decision not in (NAMING, REPAIRING):
        return []
    find_candidates(b, s, naming(b, s), DEAREST_CANDIDATE, NO_BOUND, &search)
    result = []
    for i in range(search.n_found):
        take_route(b, s, &search, search.found[i], &train, &path)
        result.append({"pips": train.pips, "fee": search.label[search.found[i]].fee, "goal": train.goal,
                       "fees": [train.fee[j] for j in range(s.n_players)], "path": [path.word[j] for j in range(SEGMENT_WORDS)]})
    return result

def draft_route(Position position not None, hexes: list[int], payees: list[int]) -> int:
    """Notes an explicit route, to be named by the move DO_EXPLICIT; a RouteFault, or 0. `payees` has a seat, or NOBODY
    for the default, for each step. A route that is refused leaves the position as it was."""
    cdef State* s = state_of(position)
    cdef const Map* b = <const Map*>position.board.data
    cdef int16_t hex_[MAX_LAND]
    cdef int8_t payee[MAX_LAND]
    cdef Train train
    cdef Path path
    cdef int i, fault
    assert s.decision in (NAMING, REPAIRING) and 2 <= len(hexes) and len(payees) == len(hexes) - 1
    if len(set(hexes)) < len(hexes):
        return HEX_TWICE
    for i in range(len(hexes)):
        assert 0 <= hexes[i] < b.n_hexes
        hex_[i] = hexes[i]
    for i in range(len(payees)):
        assert NOBODY <= payees[i] < s.n_players
        payee[i] = payees[i]
    fault = check_route(b, s, hex_, payee, len(hexes), &train, &path)
    if fault == 0:
        s.draft = train
        s.draft_path = path
        for i in range(len(payees)):
            s.draft_payee[i] = payee[i]
    return fault

def drafted(Position position not None) -> dict:
    """The explicit route that was noted: its pips, goal and fees, its segments as words of bits, and payees by step."""
    cdef State* s = state_of(position)
    cdef int i
    return {"pips": s.draft.pips, "goal": s.draft.goal, "fees": [s.draft.fee[i] for i in range(s.n_players)],
            "path": [s.draft_path.word[i] for i in range(SEGMENT_WORDS)], "payees": [s.draft_payee[i] for i in range(MAX_LAND)]}

def fault_of(Position position not None, Move move) -> int:
    """Why a build step or an offer is refused: a BuildFault, FerryFault or OfferFault; 0 when it is not."""
    cdef State* s = state_of(position)
    cdef const Map* b = <const Map*>position.board.data
    cdef int kind = move_kind(move)
    if kind == DO_BUILD:
        return build_fault(b, s, move_a(move), move_b(move))
    if kind == DO_FERRY:
        return ferry_fault(b, s, move_a(move))
    return run_offer_fault(s, move_a(move)) if s.decision == ENTERING else line_offer_fault(s, move_a(move))

cdef uint64_t n_boards = 0      # made so far

def make_board(figures: dict) -> Board:
    """The board of these figures. They have been checked; what the core relies on is asserted once more."""
    cdef Board board = new_board(&OPS, sizeof(Map), 2, MAX_PLAYERS)
    cdef Map* b = <Map*>board.data
    cdef int hex_, i, d, other, city, pips
    global n_boards
    n_boards += 1
    b.serial = n_boards
    b.n_hexes, b.n_segments = len(figures["is_abroad"]), len(figures["ends"])
    assert 0 < b.n_hexes <= MAX_LAND and 0 < b.n_segments <= MAX_SEGMENTS
    for hex_ in range(b.n_hexes):
        b.is_abroad[hex_] = figures["is_abroad"][hex_]
        b.city[hex_] = NO_HEX
        for d in range(N_DIRECTIONS):
            b.neighbour[hex_][d] = b.segment[hex_][d] = NO_HEX
    for i in range(b.n_segments):
        b.ends[i][0], b.ends[i][1] = figures["ends"][i]
        b.cost[i] = figures["cost"][i]
        hex_, other, d = b.ends[i][0], b.ends[i][1], figures["direction"][i]
        assert 0 <= hex_ < other < b.n_hexes and N_DIRECTIONS // 2 <= d < N_DIRECTIONS and 0 < b.cost[i] <= MOST_COST
        assert not (b.is_abroad[hex_] and b.is_abroad[other])
        b.neighbour[hex_][d], b.neighbour[other][N_DIRECTIONS - 1 - d] = other, hex_
        b.segment[hex_][d] = b.segment[other][N_DIRECTIONS - 1 - d] = i
        b.run_pips[hex_][d], b.run_pips[other][N_DIRECTIONS - 1 - d] = figures["run_pips"][i]
        if b.is_abroad[other]:
            b.border_bits[hex_] |= 1 << d
        elif b.is_abroad[hex_]:
            b.border_bits[other] |= 1 << (N_DIRECTIONS - 1 - d)
        else:
            b.home_bits[hex_] |= 1 << d
            b.home_bits[other] |= 1 << (N_DIRECTIONS - 1 - d)
    make_branches(b)
    make_cities(b, figures)
    make_ferries(b, figures)
    b.has_special_races = figures["special_every"] > 0
    b.special_every = figures["special_every"]
    b.n_rows = len(figures["row_goals"])
    assert b.n_rows <= MAX_ROWS
    for i in range(b.n_rows):
        for hex_ in figures["row_goals"][i]:
            assert 0 <= hex_ < b.n_hexes
            add_land(&b.row_goals[i], hex_)
    for city in range(b.n_cities):
        for hex_ in range(b.n_hexes):
            b.distance[city][hex_] = figures["distance"][city][hex_]
    return board

cdef make_branches(Map* b):
    cdef int hex_, other, d, pips, n = 0
    for hex_ in range(b.n_hexes):
        for d in range(N_DIRECTIONS):
            if b.segment[hex_][d] == NO_HEX:
                continue
            b.branch[hex_][d] = n
            other = b.neighbour[hex_][d]
            b.step[hex_][d] = Step(other, b.segment[hex_][d], b.run_pips[hex_][d], b.run_pips[other][N_DIRECTIONS - 1 - d], 0)
            b.branch_segment[n], b.branch_to[n] = b.segment[hex_][d], b.neighbour[hex_][d]
            b.branch_move[n] = pack(DO_BUILD, hex_, b.neighbour[hex_][d])
            for pips in range(b.cost[b.segment[hex_][d]], MOST_COST + 1):
                add_branch(&b.cheap[pips], n)
            n += 1

cdef make_cities(Map* b, figures):
    cdef int city, i
    b.n_cities, b.n_starts = len(figures["city_hex"]), len(figures["start_hex"])
    assert 0 < b.n_cities <= MAX_CITIES and 0 < b.n_starts <= MAX_STARTS
    for city in range(b.n_cities):
        b.city_hex[city] = figures["city_hex"][city]
        assert 0 <= b.city_hex[city] < b.n_hexes and not b.is_abroad[b.city_hex[city]]
        b.city[b.city_hex[city]] = city
        b.city_bits |= <uint64_t>1 << city
    for i in range(N_NUMBERS):
        b.city_of[i] = figures["city_of"][i]
        assert NO_HEX <= b.city_of[i] < b.n_cities
        if b.city_of[i] != NO_HEX:
            b.n_numbers += 1
            b.city_numbers[b.city_of[i]] += 1
    memset(b.build_pips, NO_FEE, sizeof(b.build_pips))
    for city in range(b.n_cities):
        for i in range(b.n_hexes):
            b.build_pips[i][city] = min(figures["build_pips"][city][i], NO_FEE)
    for i in range(b.n_starts):
        b.start_hex[i] = figures["start_hex"][i]
        assert 0 <= b.start_hex[i] < b.n_hexes and b.city[b.start_hex[i]] != NO_HEX
    b.distinct_first_edges = figures["distinct_first_edges"]
    b.least_distance = figures["least_distance"]
    assert 1 <= b.least_distance <= 100

cdef make_ferries(Map* b, figures):
    cdef int i
    b.n_ferries = len(figures["ferries"])
    assert b.n_ferries <= MAX_FERRIES
    for i in range(b.n_ferries):
        ferry = figures["ferries"][i]
        b.ferry[i].port, b.ferry[i].landing, b.ferry[i].length, b.ferry[i].price, b.ferry[i].toll = ferry
        assert 0 <= b.ferry[i].port < b.n_hexes and 0 <= b.ferry[i].landing < b.n_hexes
        assert not b.is_abroad[b.ferry[i].port] and b.is_abroad[b.ferry[i].landing]
        assert 1 <= b.ferry[i].length <= MAX_FERRY_PIPS - LOADING and 0 <= b.ferry[i].toll <= MOST_TO_ONE_RIVAL
    b.ferries_per_player = figures["ferries_per_player"]
    b.different_ports = figures["different_ports"]

def pack_move(int kind, int a, int b) -> int:
    """The number of a move from its parts."""
    return pack(kind, a, b)

def labels_needed(Position position not None) -> int:
    """How many labels the search for the routes of this decision takes, of MAX_LABELS."""
    cdef State* s = state_of(position)
    cdef const Map* b = <const Map*>position.board.data
    cdef Search search
    assert s.decision in (NAMING, REPAIRING)
    find_candidates(b, s, naming(b, s), DEAREST_CANDIDATE, NO_BOUND, &search)
    return search.n_labels

# --- the judgement in figures ----------------------------------------------------------------
def entry_view(Position position not None, Move move) -> dict:
    """What an entry or a route is worth to its player in points over staying out, with the odds behind it."""
    cdef State* s = state_of(position)
    cdef const Map* b = <const Map*>position.board.data
    cdef Outlook o
    cdef int i, player = to_move(b, s), partner = NOBODY
    cdef State after
    cdef Weights plain
    memset(&plain, 0, sizeof(Weights))
    assert s.decision in (ENTERING, NAMING, REPAIRING)
    after = s[0]
    if s.decision == ENTERING and move_kind(move) == DO_OFFER:
        partner = move_a(move)
        enter_train(&after, player, partner)
    look_at_race(b, &after, player, &o)
    for i in range(o.n):
        if o.member[i][0] == player and s.decision != ENTERING and move_kind(move) == DO_ROUTE:
            o.trip[i].pips, o.trip[i].fee = move_a(move), move_b(move)
    settle_gains(&after, &o)
    for i in range(o.n):
        if o.member[i][0] == player:
            worth = entry_gain(b, s, &plain, move) if s.decision == ENTERING else prize_value(&o, i) - o.trip[i].fee
            return {"worth": worth, "first": o.first[i], "second": o.second[i], "pips": o.trip[i].pips, "fee": o.trip[i].fee}
    return {"worth": 0.0, "first": 0.0, "second": 0.0, "pips": 0, "fee": 0}

def plan_view(Position position not None, Move move, const float[::1] weights not None) -> dict:
    """The line plan that a segment begins: its city, the pips still to go, what it is worth in points."""
    cdef State* s = state_of(position)
    cdef const Map* b = <const Map*>position.board.data
    cdef const Weights* w = <const Weights*>&weights[0]
    cdef Thoughts t
    cdef int city, best = NO_HEX, v = move_b(move), cost = b.cost[b.segment[move_a(move)][direction_to(b, move_a(move), v)]]
    cdef float rate, best_rate = 0
    assert s.decision in (BUILDING, EXPANDING) and move_kind(move) == DO_BUILD
    think(b, s, w, &t)
    for city in range(b.n_cities):
        if t.worth[city] > 0 and cost + b.build_pips[v][city] <= t.reach.pips[t.player][city] + DETOUR:
            rate = plan_rate(w, &t, city, cost + b.build_pips[v][city], 0)
            if rate > best_rate:
                best, best_rate = city, rate
    if best == NO_HEX:
        return {"city": NO_HEX, "pips": 0, "worth": 0.0}
    return {"city": b.city_hex[best], "pips": b.build_pips[v][best], "worth": t.worth[best]}

def odds_of(pips: list[int]) -> list[tuple[float, float]]:
    """How likely trains that need so many pips are first and second."""
    cdef int m[MAX_PLAYERS]
    cdef float first[MAX_PLAYERS]
    cdef float second[MAX_PLAYERS]
    cdef int i, n = len(pips)
    assert 1 <= n <= MAX_PLAYERS
    for i in range(n):
        m[i] = pips[i]
    race_odds(m, n, first, second)
    return [(first[i], second[i]) for i in range(n)]
