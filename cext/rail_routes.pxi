# RAIL: the routes of trains. Included by rail.pyx. A train's candidates are found by labels (section 10 of the rules);
# what only asks whether there is one is answered from bounds where they suffice. Explicit routes are checked at the end.

# --- what a train may name ---------------------------------------------------------------
cdef int legal_routes(const Map* b, const State* s, Move* out) noexcept nogil:
    """RL-34: the candidates; RL-31, RL-38: without one, and in a repair, the train may withdraw."""
    cdef Known* known = known_of(b, s)
    cdef int train = naming(b, s)
    if not has_known_routes(b, s, train):
        list_routes(b, s, train, known)
    memcpy(out, known.route_move, known.n_routes * sizeof(Move))
    if known.n_routes == 0 or s.decision == REPAIRING:
        out[known.n_routes] = pack(DO_WITHDRAW, 0, 0)
        return known.n_routes + 1
    return known.n_routes

cdef bint has_known_routes(const Map* b, const State* s, int train) noexcept nogil:
    """Are the candidates of this train the ones that are remembered?"""
    cdef const Known* known = known_of(b, s)
    cdef const Train* t = &s.train[train]
    return (known.n_routes != UNKNOWN and known.member[0] == t.member[0] and known.member[1] == t.member[1]
            and known.routes_set_off_bits == counts_on(s, train))

cdef void list_routes(const Map* b, const State* s, int train, Known* known) noexcept nogil:
    """Remembers the candidates, for the one that is going to be named."""
    cdef Search search
    cdef int i
    find_candidates(b, s, train, DEAREST_CANDIDATE, NO_BOUND, &search)
    known.n_routes = search.n_found
    known.member[0], known.member[1] = s.train[train].member[0], s.train[train].member[1]
    known.routes_set_off_bits = counts_on(s, train)
    for i in range(search.n_found):
        known.route_move[i] = route_move(&search, i)
        take_route(b, s, &search, search.found[i], &known.route[i], &known.route_path[i])

cdef inline Move route_move(const Search* search, int i) noexcept nogil:
    return pack(DO_ROUTE, search.label[search.found[i]].pips, search.label[search.found[i]].fee)

cdef int naming(const Map* b, const State* s) noexcept nogil:
    """The train whose player decides now: the first without a route (RL-34), or the first offender (RL-38)."""
    cdef int i
    if s.decision == REPAIRING:
        return offender(s)
    for i in range(s.n_trains):
        if not s.train[i].is_named:
            return i
    return NOBODY

cdef int sets_off_with(const State* s, int train) noexcept nogil:
    """RL-38: the rivals with whom the train may count on setting off. Withdrawn trains are gone from the list."""
    cdef int i, bits = 0
    if s.train[train].member[1] != NOBODY:
        return 0
    for i in range(s.n_trains):
        if i != train and s.train[i].member[1] == NOBODY:
            bits |= 1 << s.train[i].member[0]
    return bits

cdef inline int counts_on(const State* s, int train) noexcept nogil:
    """In a repair nothing is set off (RL-38)."""
    return 0 if s.decision == REPAIRING else sets_off_with(s, train)

cdef inline void fee_shares(const State* s, int p, int q, int points, int* share) noexcept nogil:
    """RL-33: halves; the odd point is paid by the richer, between equals by the proposer."""
    if q == NOBODY:
        share[0], share[1] = points, 0
    elif s.account[p] >= s.account[q]:
        share[0], share[1] = points - points // 2, points // 2
    else:
        share[0], share[1] = points // 2, points - points // 2

cdef inline bint is_payable(const State* s, int p, int q, int points) noexcept nogil:
    """RL-39: no share is more than the account it is paid from."""
    cdef int share[2]
    fee_shares(s, p, q, points, share)
    return share[0] <= s.account[p] and (q == NOBODY or share[1] <= s.account[q])

cdef void find_candidates(const Map* b, const State* s, int train, int dearest, int longest, Search* search) noexcept nogil:
    """The candidates of the train that names or repairs now, up to a fee and a length."""
    cdef const Train* t = &s.train[train]
    cdef int fee, pips
    begin_search(b, s, &known_of(b, s).ways, t.member[0], t.member[1], counts_on(s, train), search)
    search.dearest, search.longest = min(dearest, search.most), longest
    if longest == NO_BOUND:
        if has_cheapest(b, s, search, &fee, &pips):         # step 5: all others are shorter
            search.floor, search.longest = fee, pips
        else:
            measure_needs(b, s, search)
            measure_fees_back(b, s, search)
            search.floor = search.dear[s.race_start][search.all_used]
    if search.floor <= search.most:
        run_search(b, s, search, False)

cdef bint has_candidate(const Map* b, const State* s, Ways* ways, int p, int q, int set_off_bits) noexcept nogil:
    """Has the train any route candidate? Labels up to a fee and a length depend on no others: the nearest are looked at
    first, and only then the fees are measured that keep the search from what is too dear."""
    cdef Search search
    begin_search(b, s, ways, p, q, set_off_bits, &search)
    if search.member_bits & ~ways.owner_bits:                               # RL-35
        return False
    if has_shortest(b, s, &search):                                         # most have
        return True
    measure_needs(b, s, &search)
    search.longest = search.to_go[search.all_used][s.race_start]
    run_search(b, s, &search, True)
    if search.n_found > 0:
        return True
    measure_fees_back(b, s, &search)
    search.longest = NO_BOUND
    if search.dear[s.race_start][search.all_used] <= search.most:
        run_search(b, s, &search, True)
    return search.n_found > 0

cdef void begin_search(const Map* b, const State* s, Ways* ways, int p, int q, int set_off_bits, Search* search) noexcept nogil:
    """Section 10: the members, the rivals by their accounts, what bounds the labels at first; and the ways of the race."""
    cdef int i, j, rival
    search.ways = ways
    search.members[0], search.members[1] = p, q
    search.n_members = 1 if q == NOBODY else 2
    search.member_bits = 1 << p | (0 if q == NOBODY else 1 << q)
    search.all_used = (1 << search.n_members) - 1
    for i in range(1 << s.n_players):
        search.used_by[i] = (i >> p) & 1 | (0 if q == NOBODY else ((i >> q) & 1) << 1)
    search.set_off_bits = set_off_bits
    search.payable = 0
    while search.payable < DEAREST_CANDIDATE and is_payable(s, p, q, search.payable + 1):
        search.payable += 1
    search.n_rivals = 0
    for rival in range(s.n_players):
        if (search.member_bits >> rival) & 1:
            continue
        i = search.n_rivals
        while i > 0 and s.account[search.rival[i - 1]] < s.account[rival]:      # equal accounts: seat order
            search.rival[i] = search.rival[i - 1]
            i -= 1
        search.rival[i] = rival
        j = search.n_rivals
        while j > 0 and s.account[search.preference[j - 1]] > s.account[rival]:
            search.preference[j] = search.preference[j - 1]
            j -= 1
        search.preference[j] = rival
        search.n_rivals += 1
    search.due_bytes = 0
    for i in range(search.n_rivals):
        rival = search.rival[i]
        search.byte_of[rival] = 8 * (7 - i)
        if not (set_off_bits >> rival) & 1:
            search.due_bytes |= <uint64_t>0xFF << search.byte_of[rival]
    for j in range(search.n_rivals - 1, -1, -1):
        rival = search.preference[j]
        for i in range(1 << rival, 1 << s.n_players):
            if (i >> rival) & 1:
                search.payee_byte[i] = search.byte_of[rival]
    search.n_labels = search.n_found = 0
    if not ways.is_known:
        find_ways(b, s, search, ways)
    for i in range(N_USED):
        search.to_go[i] = ways.far
    search.most = search.payable if set_off_bits == 0 else DEAREST_CANDIDATE
    search.unbound = min(MOST_TO_ONE_RIVAL, search.payable)
    if (search.member_bits | set_off_bits) == (1 << s.n_players) - 1:
        search.unbound = DEAREST_CANDIDATE
    search.dearest, search.longest, search.floor = search.most, NO_BOUND, 0
    memset(search.dear, 0, sizeof(search.dear))

cdef inline int used_by(const Search* search, int owner_bits) noexcept nogil:
    """The members of the train among the owners of a line, as a set of bits."""
    return search.used_by[owner_bits]

# --- the track that leads from start to goal --------------------------------------------
cdef void find_ways(const Map* b, const State* s, const Search* search, Ways* ways) noexcept nogil:
    """What the trains of this race can use at all. RL-34: a route visits no hex twice, so to one goal it keeps to the
    blocks of the track, pieces that no single hex holds together, between start and goal. Labels elsewhere come to
    nothing and drop only such as come to nothing too."""
    cdef int here, bits
    memset(ways.n_steps, 0, sizeof(ways.n_steps))
    ways.n_ferries = b.n_ferries if has_ferry_to_goal(b, s) else 0     # others lead nowhere (RL-62)
    if sole_goal(b, s) != NO_HEX:
        find_blocks(b, s, ways)
    else:
        ways.owner_bits = (1 << s.n_players) - 1
        for here in range(b.n_hexes):
            bits = s.built_bits[here]
            while bits:
                add_step(b, s, ways, here, lowest_bit(bits))
                bits &= bits - 1
    measure_to_go(b, s, search, 0, ways.far)
    ways.measured_bits = 0
    ways.is_known = True

cdef inline int add_step(const Map* b, const State* s, Ways* ways, int here, int d) noexcept nogil:
    """One more step from the hex; whose line it is."""
    cdef Step* step = &ways.step[here][ways.n_steps[here]]
    step[0] = b.step[here][d]
    step.owner_bits = s.owner_bits[step.segment]
    ways.n_steps[here] += 1
    return step.owner_bits

cdef bint has_ferry_to_goal(const Map* b, const State* s) noexcept nogil:
    cdef int f
    for f in range(b.n_ferries):
        if s.ferry_owner[f] != NOBODY and has_land(&s.goals, b.ferry[f].landing):
            return True
    return False

cdef void find_blocks(const Map* b, const State* s, Ways* ways) noexcept nogil:
    """Tarjan's search from the start; a block is a way's when the goal lies behind it."""
    cdef int16_t number[MAX_LAND]                       # in which the hexes were found, from 1
    cdef int16_t low[MAX_LAND]
    cdef int16_t path[MAX_LAND]
    cdef uint8_t left[MAX_LAND]                         # directions not yet looked at
    cdef uint8_t has_goal[MAX_LAND]
    cdef int16_t from_hex[MAX_SEGMENTS]
    cdef uint8_t direction[MAX_SEGMENTS]
    cdef int depth = 1, n = 0, found = 1, here, there, d, above, i, bits
    memset(number, 0, sizeof(number))
    memset(has_goal, 0, sizeof(has_goal))
    ways.owner_bits = 0
    path[0] = s.race_start
    number[s.race_start] = low[s.race_start] = 1
    left[s.race_start] = s.built_bits[s.race_start]
    while True:
        here = path[depth - 1]
        bits = left[here]
        while bits:
            d = lowest_bit(bits)
            bits &= bits - 1
            there = b.neighbour[here][d]
            if number[there] > number[here] or b.is_abroad[there]:      # seen from the other end; RL-62
                continue
            from_hex[n], direction[n] = here, d
            n += 1
            if number[there] == 0:
                found += 1
                number[there] = low[there] = found
                left[there] = s.built_bits[there] & ~(1 << (N_DIRECTIONS - 1 - d))
                has_goal[there] = has_land(&s.goals, there)
                path[depth] = there
                depth += 1
                left[here] = bits
                here, bits = there, left[there]
            elif number[there] < low[here]:
                low[here] = number[there]
        depth -= 1
        if depth == 0:
            return
        above = path[depth - 1]
        if low[here] < low[above]:
            low[above] = low[here]
        has_goal[above] |= has_goal[here]
        if low[here] >= number[above]:
            while True:
                n -= 1
                i, d = from_hex[n], direction[n]
                there = b.neighbour[i][d]
                if has_goal[here]:
                    ways.owner_bits |= add_step(b, s, ways, i, d)
                    add_step(b, s, ways, there, N_DIRECTIONS - 1 - d)
                if i == above and there == here:
                    break

cdef void measure_to_go(const Map* b, const State* s, const Search* search, int need, int16_t* pips) noexcept nogil:
    """The fewest pips from every hex to a goal when these members' lines are still to be used, hexes visited twice
    included; from what is known for fewer of them."""
    cdef int16_t entry_hex[MAX_ENTRIES]
    cdef int16_t entry_next[MAX_ENTRIES]
    cdef int16_t head[MOST_WAY]
    cdef int16_t hexes[MAX_LAND + MAX_FERRIES]
    cdef const Ways* ways = search.ways
    cdef const Step* step
    cdef int i, j, k = 0, n = 0, m = 0, last = 0, here, there, more, rest, need_bits = 0
    memset(head, 0xFF, sizeof(head))
    for here in range(b.n_hexes):
        pips[here] = NO_BOUND
    if need == 0:
        k = list_land(&s.goals, hexes)
        for i in range(k):
            pips[hexes[i]] = 0
    for i in range(search.n_members):
        if (need >> i) & 1:
            need_bits |= 1 << search.members[i]
    for here in range(b.n_hexes):
        if s.touch_bits[here] & need_bits and not b.is_abroad[here]:        # RL-62
            for j in range(ways.n_steps[here]):
                step = &ways.step[here][j]
                rest = need & ~used_by(search, step.owner_bits)
                if rest != need:
                    pips[here] = min(<int>pips[here], step.pips + search.to_go[rest][step.to])
            hexes[k] = here
            k += 1
    for j in range(ways.n_ferries):
        if s.ferry_owner[j] != NOBODY and has_land(&s.goals, b.ferry[j].landing) and not need & ~used_by(search, 1 << s.ferry_owner[j]):
            pips[b.ferry[j].port] = min(<int>pips[b.ferry[j].port], b.ferry[j].length + LOADING)
            hexes[k] = b.ferry[j].port
            k += 1
    for i in range(k):
        here = hexes[i]
        if pips[here] < MOST_WAY:
            entry_hex[n], entry_next[n], head[pips[here]] = here, head[pips[here]], n
            last = max(last, <int>pips[here])
            n += 1
    while m <= last:
        i = head[m]
        while i != NO_HEX:
            here = entry_hex[i]
            i = entry_next[i]
            if pips[here] != m:
                continue
            for j in range(ways.n_steps[here]):
                step = &ways.step[here][j]
                there, more = step.to, m + step.back_pips
                if more < pips[there] and more < MOST_WAY and not b.is_abroad[there]:
                    pips[there] = more
                    entry_hex[n], entry_next[n], head[more] = there, head[more], n
                    last = max(last, more)
                    n += 1
        m += 1

cdef void measure_needs(const Map* b, const State* s, Search* search) noexcept nogil:
    """The pips still to go by the lines still to be used. For both members' the greater of the two will do as a bound."""
    cdef Ways* ways = search.ways
    cdef int i, p
    for i in range(search.n_members):
        p = search.members[i]
        if not (ways.measured_bits >> p) & 1:
            measure_to_go(b, s, search, 1 << i, ways.to_go[p])
            ways.measured_bits |= 1 << p
        search.to_go[1 << i] = ways.to_go[p]
    if search.n_members == 2:
        for i in range(b.n_hexes):
            search.both[i] = max(search.to_go[1][i], search.to_go[2][i])
        search.to_go[search.all_used] = search.both

# --- bounds: fees and pips that no way can do without -----------------------------------
cdef bint has_cheapest(const Map* b, const State* s, const Search* search, int* fee, int* pips) noexcept nogil:
    """Is a way with the least fee, and among those the fewest pips, sure to be a candidate? It is when one of those ways
    uses every member's line and no limit can bind: then nothing drops its labels, for all that come before at their
    hexes are ways as cheap and as short. Sets its fee and its pips."""
    cdef int16_t entry_hex[MAX_STACK]
    cdef int16_t entry_next[MAX_STACK]
    cdef int16_t head[2][MOST_PIPS]
    cdef uint8_t least_fee[MAX_LAND]
    cdef int16_t least_pips[MAX_LAND]
    cdef uint8_t sets[MAX_LAND]                             # of members whose lines those ways use: a bit for each set
    cdef const Ways* ways = search.ways
    cdef const Step* step
    cdef int level = 0, m, last = 0, last_then, now = 0, i, j, n = 1, here, there, more, used, cost, reached
    if ways.n_ferries:                                      # rare: left to the search itself
        return False
    memset(least_fee, NO_FEE, sizeof(least_fee))
    memset(head, 0xFF, sizeof(head))
    least_fee[s.race_start], least_pips[s.race_start], sets[s.race_start] = 0, 0, 1
    entry_hex[0], entry_next[0], head[0][0] = s.race_start, NO_HEX, 0
    while level <= search.unbound:
        m, last_then = 0, -1
        while m <= last:
            i = head[now][m]
            while i != NO_HEX:
                here = entry_hex[i]
                i = entry_next[i]
                if least_fee[here] != level or least_pips[here] != m:
                    continue
                if has_land(&s.goals, here):
                    fee[0], pips[0] = level, m
                    return (sets[here] >> search.all_used) & 1
                if b.is_abroad[here]:
                    continue
                for j in range(ways.n_steps[here]):
                    step = &ways.step[here][j]
                    there, more, used = step.to, m + step.pips, used_by(search, step.owner_bits)
                    cost = level if used else level + RUN_FEE
                    if cost > least_fee[there] or (cost == least_fee[there] and more > least_pips[there]):
                        continue
                    reached = SPREAD[sets[here]][used]
                    if cost == least_fee[there] and more == least_pips[there]:
                        sets[there] |= reached
                        continue
                    if more >= MOST_PIPS or n == MAX_STACK:
                        return False
                    least_fee[there], least_pips[there], sets[there] = cost, more, reached
                    used = now if cost == level else 1 - now
                    entry_hex[n], entry_next[n] = there, head[used][more]
                    head[used][more] = n
                    n += 1
                    if cost == level:
                        last = max(last, more)
                    else:
                        last_then = max(last_then, more)
            head[now][m] = NO_HEX
            m += 1
        if last_then < 0:
            break
        last = last_then
        now = 1 - now
        level += 1
    return False

cdef uint8_t[16][N_USED] SPREAD     # the sets of members when those who are used join each of them
for _sets in range(16):
    for _used in range(N_USED):
        SPREAD[_sets][_used] = sum({1 << (u | _used) for u in range(N_USED) if _sets >> u & 1})

cdef void measure_fees_back(const Map* b, const State* s, Search* search) noexcept nogil:
    """The least fee from every hex to a goal for each set of lines still to be used, hexes visited twice included: no
    label can do better, so one that is too dear by it need not be followed. NO_FEE above the most that can be paid."""
    cdef int16_t now[MAX_STACK]
    cdef int16_t then[MAX_STACK]
    cdef int16_t goals[MAX_LAND]
    cdef int n_now = 0, n_then, i, f, fee = 0, more, place, here, there, need, used, sub, j
    cdef const Ways* ways = search.ways
    cdef const Step* step
    memset(search.dear, NO_FEE, sizeof(search.dear))
    n_then = list_land(&s.goals, goals)
    for i in range(n_then):
        search.dear[goals[i]][0] = 0
        now[n_now] = goals[i] * N_USED
        n_now += 1
    for f in range(ways.n_ferries):
        if s.ferry_owner[f] != NOBODY and has_land(&s.goals, b.ferry[f].landing):
            used = used_by(search, 1 << s.ferry_owner[f])
            for sub in range(search.all_used + 1):
                if (sub & ~used) == 0 and search.dear[b.ferry[f].port][sub] > (0 if used else b.ferry[f].toll):
                    search.dear[b.ferry[f].port][sub] = 0 if used else b.ferry[f].toll
    n_then = 0
    for f in range(ways.n_ferries):                         # their fees are 0 or small: they wait with the goals
        for need in range(search.all_used + 1):
            if search.dear[b.ferry[f].port][need] != NO_FEE and not has_land(&s.goals, b.ferry[f].port):
                now[n_now] = b.ferry[f].port * N_USED + need
                n_now += 1
    while n_now > 0 and fee <= search.most:
        n_then = 0
        while n_now > 0:
            n_now -= 1
            place = now[n_now]
            here, need = place // N_USED, place % N_USED
            if search.dear[here][need] < fee:
                continue
            if search.dear[here][need] > fee:               # a ferry's port
                then[n_then] = place
                n_then += 1
                continue
            for j in range(ways.n_steps[here]):
                step = &ways.step[here][j]
                there, used = step.to, used_by(search, step.owner_bits)
                if b.is_abroad[there]:
                    continue
                sub, more = need | used, fee if used else fee + RUN_FEE
                if search.dear[there][sub] <= more:
                    continue
                for i in range(sub + 1):                    # with some of the lines it can do as well
                    if (i & sub) == i and search.dear[there][i] > more:
                        search.dear[there][i] = more
                if used and n_now < MAX_STACK:
                    now[n_now] = there * N_USED + sub
                    n_now += 1
                elif n_then < MAX_STACK:
                    then[n_then] = there * N_USED + sub
                    n_then += 1
        memcpy(now, then, n_then * sizeof(int16_t))
        n_now = n_then
        fee += 1

cdef bint has_shortest(const Map* b, const State* s, const Search* search) noexcept nogil:
    """Has the train one of the shortest ways of anybody, with its members' lines and fees that no limit can bind? Then it
    has a candidate: nothing drops the labels of the cheapest of them, for what comes before at their hexes leads to a way
    as short and as cheap, and no shortest way visits a hex twice."""
    cdef int16_t queue[3][MAX_LAND * N_USED]                # a step takes 1 or 2 pips
    cdef int n_queue[3]
    cdef uint8_t fee[MAX_LAND][N_USED]                      # the least at a hex, after these members' lines
    cdef const Ways* ways = search.ways
    cdef const Step* step
    cdef int whole = ways.far[s.race_start], pips = 0, i, j, here, there, used_here, used, more, cost
    if ways.n_ferries or whole >= MOST_WAY:
        return False
    memset(fee, NO_FEE, sizeof(fee))
    memset(n_queue, 0, sizeof(n_queue))
    queue[0][0] = s.race_start * N_USED
    n_queue[0], fee[s.race_start][0] = 1, 0
    while pips < whole:
        for i in range(n_queue[pips % 3]):
            here, used_here = queue[pips % 3][i] // N_USED, queue[pips % 3][i] % N_USED
            for j in range(ways.n_steps[here]):
                step = &ways.step[here][j]
                there, more = step.to, pips + step.pips
                if more + ways.far[there] != whole:
                    continue
                used = used_by(search, step.owner_bits)
                cost = fee[here][used_here] + (0 if used else RUN_FEE)
                used |= used_here
                if cost <= search.unbound and cost < fee[there][used]:
                    if fee[there][used] == NO_FEE:
                        queue[more % 3][n_queue[more % 3]] = there * N_USED + used
                        n_queue[more % 3] += 1
                    fee[there][used] = cost
        n_queue[pips % 3] = 0
        pips += 1
    for i in range(n_queue[whole % 3]):
        if queue[whole % 3][i] % N_USED == search.all_used:
            return True
    return False

# --- labels -----------------------------------------------------------------------------
cdef void run_search(const Map* b, const State* s, Search* search, bint any_will_do) noexcept nogil:
    """Steps 1 to 5, the labels by the pips of the shortest way that they can become, then by pips, then by fee. What can
    drop a label comes before it: with no more pips and no fewer lines used it has no more to go. Every step costs a pip or
    more, so what has the same pips and fee is complete when its turn comes; the order inside matters only at one hex, and
    among the goals, where nothing is to go."""
    cdef int16_t head[MOST_WAY]                         # labels of the same whole way by pips,
    cdef int16_t of_fee[MAX_CANDIDATES]                 # and those of the same pips by fee
    cdef uint32_t fee_bits
    cdef int whole = search.to_go[search.all_used][s.race_start], first, pips, i, next_
    cdef Label* label = &search.label[0]
    search.n_labels = search.n_pending = search.n_found = 0
    if whole >= MOST_WAY:
        return
    search.longest = min(search.longest, MOST_WAY - 1)
    memset(head, 0xFF, sizeof(head))
    memset(search.later, 0xFF, sizeof(search.later))
    memset(search.at_hex, 0xFF, sizeof(search.at_hex))
    memset(search.best, NO_FEE, sizeof(search.best))
    add_label(search, NO_HEX, s.race_start, NO_HEX, 0, 0, 0, 0, whole)
    while search.n_pending > 0:
        first = whole + 1
        while True:
            i = search.later[whole % RING]
            search.later[whole % RING] = NO_HEX
            while i != NO_HEX:
                next_, pips = label[i].next_, label[i].pips
                label[i].next_, head[pips] = head[pips], i
                first = min(first, pips)
                i = next_
            while first <= whole and head[first] == NO_HEX:
                first += 1
            if first > whole:
                break
            i, head[first] = head[first], NO_HEX
            fee_bits = 0
            while i != NO_HEX:
                next_ = label[i].next_
                label[i].next_ = of_fee[label[i].fee] if (fee_bits >> label[i].fee) & 1 else NO_HEX
                of_fee[label[i].fee] = i
                fee_bits |= 1 << label[i].fee
                i = next_
            while fee_bits:
                if take_labels(b, s, search, of_fee[lowest_bit(fee_bits)]) and (any_will_do or search.dearest < search.floor):
                    return
                fee_bits &= fee_bits - 1
        whole += 1

cdef bint take_labels(const Map* b, const State* s, Search* search, int head) noexcept nogil:
    """Those that have the same pips, the same fee and as much to go; is there a candidate?"""
    cdef int i = head, goal = NO_HEX, fee = search.label[head].fee
    while i != NO_HEX:
        search.n_pending -= 1
        if fee <= search.dearest and is_kept(search, i):
            if search.label[i].used == search.all_used and has_land(&s.goals, search.label[i].hex_):
                if goal == NO_HEX or is_before(search, i, goal):    # step 5: the one found first
                    goal = i
            elif not b.is_abroad[search.label[i].hex_]:             # step 3
                extend(b, s, search, i)
        i = search.label[i].next_
    i = head
    while i != NO_HEX:
        search.best[search.label[i].hex_][search.label[i].used] = min(<int>search.best[search.label[i].hex_][search.label[i].used], fee)
        i = search.label[i].next_
    if goal == NO_HEX:
        return False
    search.found[search.n_found] = goal
    search.n_found += 1
    search.dearest = fee - 1                                        # step 5: what comes later must be cheaper
    return True

cdef inline void add_label(Search* search, int parent, int hex_, int segment, int pips, int fee, uint64_t owed, int used,
                           int whole) noexcept nogil:
    """Of labels that differ in nothing but what they owe and their way only the first in order stays; one that another
    at the hex is sure to drop (step 2) is not taken up at all."""
    cdef Label* label = &search.label[search.n_labels]
    cdef Label* other
    cdef int i = search.at_hex[hex_], next_, above
    if search.n_labels == MAX_LABELS:                   # far more than the largest search that was ever seen
        return
    while i != NO_HEX:
        other = &search.label[i]
        if other.fee <= fee and other.pips <= pips and (other.used & used) == used:
            if other.fee < fee or other.pips < pips:
                return
            if other.used == used:
                break
        i = other.twin
    label.owed, label.hex_, label.parent, label.segment = owed, hex_, parent, segment
    label.pips, label.fee, label.used = pips, fee, used
    label.depth = 0 if parent == NO_HEX else search.label[parent].depth + 1
    label.before = NO_HEX
    if parent != NO_HEX:
        label.before = search.label[parent].before if search.label[parent].used == used else parent
    if i != NO_HEX:
        if is_before(search, search.n_labels, i):
            next_, above = other.next_, other.twin
            other[0] = label[0]
            other.next_, other.twin = next_, above
        return
    label.twin = search.at_hex[hex_]
    search.at_hex[hex_] = search.n_labels
    label.next_ = search.later[whole % RING]
    search.later[whole % RING] = search.n_labels
    search.n_labels += 1
    search.n_pending += 1

cdef bint is_kept(const Search* search, int i) noexcept nogil:
    """Step 2: no label kept earlier at the hex has as few pips and fees and the same lines used."""
    cdef const Label* label = &search.label[i]
    cdef const Label* other
    cdef int twin = search.at_hex[label.hex_]
    if search.best[label.hex_][label.used] <= label.fee:
        return False
    if label.used == search.all_used:                   # no other of the kind
        return True
    while twin != NO_HEX:
        other = &search.label[twin]
        if (other.used != label.used and (other.used & label.used) == label.used and other.pips <= label.pips and other.fee <= label.fee
                and (other.pips < label.pips or other.fee < label.fee or is_before(search, twin, i))):
            return False
        twin = other.twin
    return True

cdef bint is_before(const Search* search, int i, int j) noexcept nogil:
    """Step 1, at equal pips and fees: what is owed from the richest to the poorest, then the hexes from the left."""
    cdef const Label* label = &search.label[0]
    if label[i].owed != label[j].owed:
        return label[i].owed < label[j].owed
    if label[i].depth < label[j].depth:
        return not is_before(search, j, i)
    while label[i].depth > label[j].depth:
        i = label[i].parent
    while label[i].parent != label[j].parent:
        i = label[i].parent
        j = label[j].parent
    return label[i].hex_ < label[j].hex_

cdef void extend(const Map* b, const State* s, Search* search, int i) noexcept nogil:
    """Step 4: over each built segment and each bought ferry."""
    cdef Label label = search.label[i]
    cdef const Ways* ways = search.ways
    cdef const Step* step
    cdef int j
    for j in range(ways.n_steps[label.hex_]):
        step = &ways.step[label.hex_][j]
        step_to(search, i, label, step.to, step.segment, step.pips, step.owner_bits, RUN_FEE)
    for j in range(ways.n_ferries):
        if b.ferry[j].port == label.hex_ and s.ferry_owner[j] != NOBODY:    # RL-65
            step_to(search, i, label, b.ferry[j].landing, NO_HEX, b.ferry[j].length + LOADING, 1 << s.ferry_owner[j], b.ferry[j].toll)

cdef inline void step_to(Search* search, int i, Label label, int there, int segment, int pips, int owner_bits, int toll) noexcept nogil:
    """Step 4: a member's line is free; else the poorest owner who can be paid. The bounds come first: they are quick."""
    cdef int new = used_by(search, owner_bits), used = label.used | new, fee = label.fee + (0 if new else toll), before, whole
    cdef uint64_t owed = label.owed
    if search.best[there][used] <= fee:                 # step 2 would drop it
        return
    pips += label.pips
    whole = pips + search.to_go[search.all_used ^ used][there]
    if whole > search.longest:
        return
    if fee + search.dear[there][search.all_used ^ used] > search.dearest:   # a label that is hopeless drops only hopeless ones
        return
    if not new and not owe(search, owner_bits, toll, fee, &owed):
        return
    if was_reached(search, there, used, fee):           # a hex on its way, when fewer lines had been used (RL-34)
        before = label.before if used == label.used else i
        while before != NO_HEX:
            if search.label[before].hex_ == there:
                return
            before = search.label[before].parent
    add_label(search, i, there, segment, pips, fee, owed, used, whole)

cdef inline bint was_reached(const Search* search, int hex_, int used, int fee) noexcept nogil:
    """Has a label been kept at the hex that had used fewer lines, for no higher fee?"""
    cdef int fewer = used
    while fewer:
        fewer = (fewer - 1) & used
        if search.best[hex_][fewer] <= fee:
            return True
    return False

cdef inline bint owe(const Search* search, int owner_bits, int toll, int fee, uint64_t* owed) noexcept nogil:
    """Step 4: the poorest of the owners who can be paid gets the toll; False when there is none, or too much is due."""
    cdef int j, rival
    if fee <= search.unbound:
        owed[0] += <uint64_t>toll << search.payee_byte[owner_bits]
        return True
    for j in range(search.n_rivals):
        rival = search.preference[j]
        if (owner_bits >> rival) & 1:
            if (search.set_off_bits >> rival) & 1:
                owed[0] += <uint64_t>toll << search.byte_of[rival]
                return True
            if <int>((owed[0] >> search.byte_of[rival]) & 0xFF) + toll <= MOST_TO_ONE_RIVAL:
                owed[0] += <uint64_t>toll << search.byte_of[rival]
                return sum_of_bytes(owed[0] & search.due_bytes) <= search.payable
    return False

cdef inline int sum_of_bytes(uint64_t word) noexcept nogil:
    """A sum below 256."""
    return (word * <uint64_t>0x0101010101010101) >> 56

cdef void take_route(const Map* b, const State* s, const Search* search, int i, Train* t, Path* path) noexcept nogil:
    """The route of a label, as a train keeps it."""
    cdef const Label* label = &search.label[i]
    cdef int j
    t.is_named = 1
    t.pips, t.goal = label.pips, label.hex_
    memset(t.fee, 0, sizeof(t.fee))
    for j in range(search.n_rivals):
        t.fee[search.rival[j]] = (label.owed >> search.byte_of[search.rival[j]]) & 0xFF
    memset(path, 0, sizeof(Path))
    while label.parent != NO_HEX:
        if label.segment != NO_HEX:
            add_segment(path, label.segment)
        label = &search.label[label.parent]

cdef void take_known(const Known* known, int i, Train* t, Path* path) noexcept nogil:
    t.is_named, t.pips, t.goal = 1, known.route[i].pips, known.route[i].goal
    memcpy(t.fee, known.route[i].fee, sizeof(t.fee))
    path[0] = known.route_path[i]

# --- explicit routes -------------------------------------------------------------------
cdef int default_payee(const State* s, int owner_bits, const int16_t* fee, int toll, int set_off_bits) noexcept nogil:
    """Step 4 of the candidates: the poorest (equal: first in seat order) of the owners who can be paid."""
    cdef int rival, payee = NOBODY
    for rival in range(s.n_players):
        if (owner_bits >> rival) & 1 and ((set_off_bits >> rival) & 1 or fee[rival] + toll <= MOST_TO_ONE_RIVAL):
            if payee == NOBODY or s.account[rival] < s.account[payee]:
                payee = rival
    return payee

cdef int find_ferry(const Map* b, const State* s, int u, int v) noexcept nogil:
    """The bought link between a port and a landing, or NOBODY."""
    cdef int f
    for f in range(b.n_ferries):
        if s.ferry_owner[f] != NOBODY and ((b.ferry[f].port == u and b.ferry[f].landing == v)
                                           or (b.ferry[f].port == v and b.ferry[f].landing == u)):
            return f
    return NOBODY

cdef int check_route(const Map* b, const State* s, const int16_t* hexes, int8_t* payee, int n, Train* t, Path* path) noexcept nogil:
    """RL-34 to RL-39: the route through these hexes, paying whom `payee` names at each step (NOBODY: the default, and
    where it names the default NOBODY is put in its place)."""
    cdef const Train* own = &s.train[naming(b, s)]
    cdef int set_off_bits = counts_on(s, naming(b, s))
    cdef int member_bits = 1 << own.member[0] | (0 if own.member[1] == NOBODY else 1 << own.member[1])
    cdef int i, d, f, owner_bits, used_bits = 0, toll, rival, usual, due = 0
    cdef Land seen
    memset(&seen, 0, sizeof(Land))
    memset(t, 0, sizeof(Train))
    memset(path, 0, sizeof(Path))
    t.member[0], t.member[1] = own.member[0], own.member[1]
    if hexes[0] != s.race_start:
        return NOT_FROM_START
    if not has_land(&s.goals, hexes[n - 1]):
        return NOT_TO_GOAL
    for i in range(n):
        if has_land(&seen, hexes[i]):                   # Q26
            return HEX_TWICE
        add_land(&seen, hexes[i])
    for i in range(n - 1):
        if b.is_abroad[hexes[i]]:                       # RL-62
            return THROUGH_ABROAD
    for i in range(n - 1):
        d = direction_to(b, hexes[i], hexes[i + 1])
        if d < N_DIRECTIONS and s.owner_bits[b.segment[hexes[i]][d]]:
            used_bits |= s.owner_bits[b.segment[hexes[i]][d]]
        elif find_ferry(b, s, hexes[i], hexes[i + 1]) != NOBODY:
            used_bits |= 1 << s.ferry_owner[find_ferry(b, s, hexes[i], hexes[i + 1])]
        else:
            return NO_TRACK
    if member_bits & ~used_bits:                        # RL-35
        return NO_OWN_TRACK
    for i in range(n - 1):
        d = direction_to(b, hexes[i], hexes[i + 1])
        if d < N_DIRECTIONS and s.owner_bits[b.segment[hexes[i]][d]]:
            owner_bits, toll = s.owner_bits[b.segment[hexes[i]][d]], RUN_FEE
            t.pips += b.run_pips[hexes[i]][d]
            add_segment(path, b.segment[hexes[i]][d])
        else:
            f = find_ferry(b, s, hexes[i], hexes[i + 1])
            owner_bits, toll = 1 << s.ferry_owner[f], b.ferry[f].toll
            t.pips += b.ferry[f].length + LOADING
        rival = payee[i]
        if rival != NOBODY and (owner_bits & member_bits or not (owner_bits >> rival) & 1):
            return WRONG_PAYEE
        if owner_bits & member_bits:                    # RL-36
            continue
        usual = default_payee(s, owner_bits, t.fee, toll, set_off_bits)
        if rival == NOBODY or rival == usual:
            rival = usual
            payee[i] = NOBODY
        if rival == NOBODY:
            return TOO_MUCH
        t.fee[rival] += toll
    for rival in range(s.n_players):
        if not (set_off_bits >> rival) & 1:
            if t.fee[rival] > MOST_TO_ONE_RIVAL:        # RL-37
                return TOO_MUCH
            due += t.fee[rival]
    if not is_payable(s, own.member[0], own.member[1], due):    # RL-39
        return NOT_PAYABLE
    t.goal = hexes[n - 1]
    t.is_named = 1
    return 0
