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
    cdef Ways* ways = &known_of(b, s).ways
    cdef const Train* t = &s.train[train]
    cdef int fee, pips
    if not ways.is_known:
        find_ways(b, s, ways)
    begin_search(s, ways, t.member[0], t.member[1], counts_on(s, train), search)
    search.dearest, search.longest = min(dearest, search.most), longest
    if longest == NO_BOUND:
        if has_cheapest(b, s, search, &fee, &pips):         # step 5: all others are shorter
            search.floor, search.longest = fee, pips
        else:
            measure_fees_back(b, s, search)
            search.floor = search.dear[s.race_start][search.all_used]
    if search.floor <= search.most:
        run_search(b, s, search, False)

cdef bint has_candidate(const Map* b, const State* s, Ways* ways, int p, int q, int set_off_bits) noexcept nogil:
    """Has the train any route candidate? Labels up to a fee and a length depend on no others: the near are looked at first."""
    cdef Search search
    cdef int fee, pips
    if not ways.is_known:
        find_ways(b, s, ways)
    begin_search(s, ways, p, q, set_off_bits, &search)
    if search.member_bits & ~ways.owner_bits:                               # RL-35
        return False
    if sole_goal(b, s) != NO_HEX:                                           # most have one near the straight way
        search.longest = search.towards[s.race_start] + SLACK
        if has_cheapest(b, s, &search, &fee, &pips):
            return True
    search.by_need = True
    search.dearest, search.longest = search.most, measure_detours(b, s, &search, 0)
    if has_shortest(b, s, &search):                                         # most of the rest have one of the shortest
        return True
    if search.dear[s.race_start][search.all_used] <= search.most:           # within the limits for all that is known
        run_search(b, s, &search, True)
        if search.n_found > 0:
            return True
    measure_fees_back(b, s, &search)
    if search.dear[s.race_start][search.all_used] > search.most:
        return False
    search.longest = measure_detours(b, s, &search, SLACK)
    run_search(b, s, &search, True)
    if search.n_found > 0:
        return True
    search.longest = NO_BOUND
    run_search(b, s, &search, True)
    return search.n_found > 0

cdef void begin_search(const State* s, const Ways* ways, int p, int q, int set_off_bits, Search* search) noexcept nogil:
    """Section 10: the members, the rivals by their accounts, and the first label."""
    cdef int i, j, rival
    search.bits, search.towards = ways.bits, ways.far
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
    for i in range(search.n_rivals):
        search.byte_of[search.rival[i]] = 8 * (7 - i)
    search.n_labels = search.n_found = 0
    search.by_need = False
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
cdef void find_ways(const Map* b, const State* s, Ways* ways) noexcept nogil:
    """What the trains of this race can use at all. RL-34: a route visits no hex twice, so to one goal it keeps to the
    blocks of the track, pieces that no single hex holds together, between start and goal. Labels elsewhere come to
    nothing and drop only such as come to nothing too."""
    memcpy(ways.bits, s.built_bits, sizeof(ways.bits))
    ways.owner_bits = (1 << s.n_players) - 1
    if sole_goal(b, s) != NO_HEX:
        find_blocks(b, s, ways)
        memcpy(ways.far, b.distance[b.city[sole_goal(b, s)]], sizeof(ways.far))     # bound enough
    else:
        measure_pips_back(b, s, ways)
    ways.is_known = True

cdef void find_blocks(const Map* b, const State* s, Ways* ways) noexcept nogil:
    """Tarjan's search from the start; a block is a way's when the goal lies behind it."""
    cdef int16_t number[MAX_LAND]                       # in which the hexes were found, from 1
    cdef int16_t low[MAX_LAND]
    cdef int16_t path[MAX_LAND]
    cdef uint8_t left[MAX_LAND]                         # directions not yet looked at
    cdef uint8_t has_goal[MAX_LAND]
    cdef int16_t edge[MAX_SEGMENTS]
    cdef int16_t from_hex[MAX_SEGMENTS]
    cdef uint8_t direction[MAX_SEGMENTS]
    cdef int depth = 1, n = 0, found = 1, here, there, d, above, i
    memset(number, 0, sizeof(number))
    memset(has_goal, 0, sizeof(has_goal))
    memset(ways.bits, 0, sizeof(ways.bits))
    ways.owner_bits = 0
    path[0] = s.race_start
    number[s.race_start] = low[s.race_start] = 1
    left[s.race_start] = s.built_bits[s.race_start]
    while True:
        here = path[depth - 1]
        if left[here]:
            d = lowest_bit(left[here])
            left[here] &= left[here] - 1
            there = b.neighbour[here][d]
            if b.is_abroad[there]:                      # RL-62
                continue
            if number[there] == 0:
                found += 1
                number[there] = low[there] = found
                left[there] = s.built_bits[there] & ~(1 << (N_DIRECTIONS - 1 - d))
                has_goal[there] = has_land(&s.goals, there)
                path[depth] = there
                depth += 1
            elif number[there] > number[here]:          # seen from the other end
                continue
            low[here] = min(low[here], number[there])
            edge[n], from_hex[n], direction[n] = b.segment[here][d], here, d
            n += 1
            continue
        depth -= 1
        if depth == 0:
            return
        above = path[depth - 1]
        low[above] = min(low[above], low[here])
        has_goal[above] |= has_goal[here]
        if low[here] >= number[above]:
            while True:
                n -= 1
                i = from_hex[n]
                if has_goal[here]:
                    ways.bits[i] |= 1 << direction[n]
                    ways.bits[b.neighbour[i][direction[n]]] |= 1 << (N_DIRECTIONS - 1 - direction[n])
                    ways.owner_bits |= s.owner_bits[edge[n]]
                if i == above and b.neighbour[i][direction[n]] == here:
                    break

cdef void measure_pips_back(const Map* b, const State* s, Ways* ways) noexcept nogil:
    """The fewest pips from every hex to a goal on anybody's track: no label can do better."""
    cdef int16_t queue[3][MAX_LAND]                         # steps cost 1 or 2 pips
    cdef int n_queue[3]
    cdef int16_t goals[MAX_LAND]
    cdef int i, f, n, pips = 0, here, there, bits, d, more, last = 0
    for i in range(b.n_hexes):
        ways.far[i] = FAR
    memset(n_queue, 0, sizeof(n_queue))
    n = list_land(&s.goals, goals)
    for i in range(n):
        ways.far[goals[i]] = 0
        queue[0][n_queue[0]] = goals[i]
        n_queue[0] += 1
    for f in range(b.n_ferries):
        if s.ferry_owner[f] != NOBODY and has_land(&s.goals, b.ferry[f].landing):
            ways.far[b.ferry[f].port] = min(ways.far[b.ferry[f].port], b.ferry[f].length + LOADING)
            last = MAX_FERRY_PIPS
    while pips <= last:
        for f in range(b.n_ferries if last >= pips > 0 else 0):
            if ways.far[b.ferry[f].port] == pips and pips <= MAX_FERRY_PIPS:
                queue[pips % 3][n_queue[pips % 3]] = b.ferry[f].port
                n_queue[pips % 3] += 1
        i = pips % 3
        while n_queue[i] > 0:
            n_queue[i] -= 1
            here = queue[i][n_queue[i]]
            if ways.far[here] != pips:
                continue
            bits = ways.bits[here]
            while bits:
                d = lowest_bit(bits)
                bits &= bits - 1
                there = b.neighbour[here][d]
                more = pips + b.run_pips[there][N_DIRECTIONS - 1 - d]
                if ways.far[there] > more and not b.is_abroad[there]:
                    ways.far[there] = more
                    queue[more % 3][n_queue[more % 3]] = there
                    n_queue[more % 3] += 1
                    last = max(last, more)
        pips += 1

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
    cdef int level = 0, m, last = 0, last_then, now = 0, i, n = 1, here, there, bits, d, more, used, f, n_ferries = 0, cost, reached
    for f in range(b.n_ferries):
        if s.ferry_owner[f] != NOBODY:
            n_ferries = b.n_ferries
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
                least_pips[here] = m
                bits = search.bits[here]
                f = 0
                while bits or f < n_ferries:
                    if bits:
                        d = lowest_bit(bits)
                        bits &= bits - 1
                        there, more, cost = b.neighbour[here][d], m + b.run_pips[here][d], RUN_FEE
                        used = used_by(search, s.owner_bits[b.segment[here][d]])
                    else:
                        f += 1
                        if b.ferry[f - 1].port != here or s.ferry_owner[f - 1] == NOBODY:
                            continue
                        return False                        # rare: left to the search itself
                    if more + search.towards[there] > search.longest:
                        continue
                    cost = level if used else level + cost
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
    cdef int n_now = 0, n_then, i, f, fee = 0, more, place, here, there, need, bits, d, used, sub
    memset(search.dear, NO_FEE, sizeof(search.dear))
    n_then = list_land(&s.goals, goals)
    for i in range(n_then):
        search.dear[goals[i]][0] = 0
        now[n_now] = goals[i] * N_USED
        n_now += 1
    for f in range(b.n_ferries):
        if s.ferry_owner[f] != NOBODY and has_land(&s.goals, b.ferry[f].landing):
            used = used_by(search, 1 << s.ferry_owner[f])
            for sub in range(search.all_used + 1):
                if (sub & ~used) == 0 and search.dear[b.ferry[f].port][sub] > (0 if used else b.ferry[f].toll):
                    search.dear[b.ferry[f].port][sub] = 0 if used else b.ferry[f].toll
    n_then = 0
    for f in range(b.n_ferries):                            # their fees are 0 or small: they wait with the goals
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
            bits = search.bits[here]
            while bits:
                d = lowest_bit(bits)
                bits &= bits - 1
                there = b.neighbour[here][d]
                if b.is_abroad[there]:
                    continue
                used = used_by(search, s.owner_bits[b.segment[here][d]])
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

cdef int measure_detours(const Map* b, const State* s, Search* search, int slack) noexcept nogil:
    """The fewest pips from every hex to a goal for each set of lines still to be used, hexes visited twice included, as
    far as it can be part of a way from the start that takes at most `slack` pips more than the shortest; FAR elsewhere.
    The length of such a way. A ferry to a goal is rare: there the ways with any lines must do."""
    cdef int16_t queue[4][MAX_STACK]                        # by the pips of a whole way: a step adds 0 to 3 to them
    cdef int n_queue[4]
    cdef int16_t goals[MAX_LAND]
    cdef const int16_t* from_start = &NO_DISTANCE[0] if sole_goal(b, s) == NO_HEX else &b.distance[b.city[s.race_start]][0]
    cdef int16_t* whole = &search.detour[s.race_start][search.all_used]
    cdef int i, n, pips, here, there, need, bits, d, more, used, sub, total, last
    if has_ferry_to_goal(b, s):
        for i in range(b.n_hexes):
            for need in range(N_USED):
                search.detour[i][need] = search.towards[i]
        return search.towards[s.race_start] + slack
    for i in range(b.n_hexes):
        for need in range(N_USED):
            search.detour[i][need] = FAR
    memset(n_queue, 0, sizeof(n_queue))
    n = list_land(&s.goals, goals)
    total = last = from_start[goals[0]]
    for i in range(n):
        search.detour[goals[i]][0] = 0
        queue[total % 4][i] = goals[i] * N_USED
    n_queue[total % 4] = n
    while total <= last and total <= whole[0] + slack:
        i = total % 4
        while n_queue[i] > 0:
            n_queue[i] -= 1
            here, need = queue[i][n_queue[i]] // N_USED, queue[i][n_queue[i]] % N_USED
            pips = search.detour[here][need]
            if pips + from_start[here] != total:
                continue
            bits = search.bits[here]
            while bits:
                d = lowest_bit(bits)
                bits &= bits - 1
                there = b.neighbour[here][d]
                if b.is_abroad[there]:
                    continue
                more = pips + b.run_pips[there][N_DIRECTIONS - 1 - d]
                sub = need | used_by(search, s.owner_bits[b.segment[here][d]])
                if search.detour[there][sub] > more:
                    for used in range(sub + 1):             # with some of the lines it can do as well
                        if (used & sub) == used and search.detour[there][used] > more:
                            search.detour[there][used] = more
                    more += from_start[there]
                    queue[more % 4][n_queue[more % 4]] = there * N_USED + sub
                    n_queue[more % 4] += 1
                    last = max(last, more)
        total += 1
    return whole[0] + slack

cdef int16_t[MAX_LAND] NO_DISTANCE       # zeros, for several goals: there the distance from the start bounds nothing

cdef bint has_ferry_to_goal(const Map* b, const State* s) noexcept nogil:
    cdef int f
    for f in range(b.n_ferries):
        if s.ferry_owner[f] != NOBODY and has_land(&s.goals, b.ferry[f].landing):
            return True
    return False

cdef bint has_shortest(const Map* b, const State* s, Search* search) noexcept nogil:
    """Is a way with the fewest pips of all that use every member's line, and among those the least fee, sure to be a
    candidate? It is when none of the shortest visits a hex twice and no limit can bind: then nothing drops its labels, for
    what comes before at their hexes leads to a way as short and as cheap. Otherwise `dear` is the least fee of what
    is left of the shortest ways, NO_FEE off them: bounds for a search that goes no further."""
    cdef int16_t queue[3][MAX_LAND * N_USED]                # a step takes 1 or 2 pips
    cdef int n_queue[3]
    cdef int16_t place[MAX_LAND * N_USED]                   # on the shortest ways, from the start to the goals
    cdef uint8_t seen[MAX_LAND]                             # with which lines still to be used: a bit for each set
    cdef int pips = search.detour[s.race_start][search.all_used], n = 0, i, here, there, need, rest, bits, d, left, used
    cdef bint is_twice = False
    if has_ferry_to_goal(b, s):
        return False
    memset(search.dear, NO_FEE, sizeof(search.dear))
    memset(seen, 0, sizeof(seen))
    memset(n_queue, 0, sizeof(n_queue))
    queue[pips % 3][0] = s.race_start * N_USED + search.all_used
    n_queue[pips % 3] = 1
    seen[s.race_start] = 1 << search.all_used
    while pips >= 0:
        for i in range(n_queue[pips % 3]):
            place[n] = queue[pips % 3][i]
            here, need = place[n] // N_USED, place[n] % N_USED
            n += 1
            bits = search.bits[here]
            while bits:
                d = lowest_bit(bits)
                bits &= bits - 1
                there = b.neighbour[here][d]
                rest = need & ~used_by(search, s.owner_bits[b.segment[here][d]])
                left = pips - b.run_pips[here][d]
                if search.detour[there][rest] == left and not (seen[there] >> rest) & 1:
                    is_twice = is_twice or seen[there]
                    seen[there] |= 1 << rest
                    queue[left % 3][n_queue[left % 3]] = there * N_USED + rest
                    n_queue[left % 3] += 1
        n_queue[pips % 3] = 0
        pips -= 1
    while n > 0:
        n -= 1
        here, need = place[n] // N_USED, place[n] % N_USED
        if search.detour[here][need] == 0:
            search.dear[here][need] = 0
        bits = search.bits[here]
        while bits:
            d = lowest_bit(bits)
            bits &= bits - 1
            there = b.neighbour[here][d]
            used = used_by(search, s.owner_bits[b.segment[here][d]])
            rest = need & ~used
            if search.detour[there][rest] == search.detour[here][need] - b.run_pips[here][d]:
                search.dear[here][need] = min(<int>search.dear[here][need], search.dear[there][rest] + (0 if used else RUN_FEE))
    return not is_twice and search.dear[s.race_start][search.all_used] <= search.unbound

# --- labels -----------------------------------------------------------------------------
cdef void run_search(const Map* b, const State* s, Search* search, bint any_will_do) noexcept nogil:
    """Steps 1 to 5: labels by ascending pips, then fee. Every step costs a pip or more, so what has the same pips and
    fee is complete when its turn comes; the order inside matters only at one hex, and among the goals."""
    cdef int pips = 0, fee, head, i, next_, goal
    search.n_labels = search.n_pending = search.n_found = 0
    search.least_fee = NO_FEE
    memset(search.head, 0xFF, sizeof(search.head))
    memset(search.at_hex, 0xFF, sizeof(search.at_hex))
    memset(search.best, NO_FEE, sizeof(search.best))
    add_label(search, NO_HEX, s.race_start, N_DIRECTIONS, 0, 0, 0, 0, 0)
    while search.n_pending > 0:
        for fee in range(MAX_CANDIDATES):
            head = search.head[pips % RING][fee]
            if head == NO_HEX:
                continue
            search.head[pips % RING][fee] = NO_HEX
            i, goal = head, NO_HEX
            while i != NO_HEX:
                next_ = search.label[i].next_
                search.n_pending -= 1
                if fee < search.least_fee and is_kept(search, i):
                    if search.label[i].used == search.all_used and has_land(&s.goals, search.label[i].hex_):
                        if goal == NO_HEX or is_before(search, i, goal):        # step 5: the one found first
                            goal = i
                    elif not b.is_abroad[search.label[i].hex_]:                 # step 3
                        extend(b, s, search, i)
                i = next_
            i = head
            while i != NO_HEX:
                keep(search, i)
                i = search.label[i].next_
            if goal != NO_HEX:
                search.found[search.n_found] = goal
                search.n_found += 1
                search.least_fee = fee                  # step 5: what comes later must be cheaper
                if any_will_do or fee == search.floor:
                    return
        pips += 1

cdef inline void add_label(Search* search, int parent, int hex_, int direction, int pips, int fee, int due, uint64_t owed,
                           int used) noexcept nogil:
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
    label.owed, label.hex_, label.parent, label.direction = owed, hex_, parent, direction
    label.pips, label.fee, label.due, label.used = pips, fee, due, used
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
    label.next_ = search.head[pips % RING][fee]
    search.head[pips % RING][fee] = search.n_labels
    search.n_labels += 1
    search.n_pending += 1

cdef bint is_kept(const Search* search, int i) noexcept nogil:
    """Step 2: no label kept earlier at the hex has as few pips and fees and the same lines used."""
    cdef const Label* label = &search.label[i]
    cdef const Label* other
    cdef int twin = search.at_hex[label.hex_]
    if search.best[label.hex_][label.used] <= label.fee:
        return False
    while twin != NO_HEX:
        other = &search.label[twin]
        if (twin != i and other.pips == label.pips and other.fee == label.fee and (other.used & label.used) == label.used
                and is_before(search, twin, i)):
            return False
        twin = other.twin
    return True

cdef void keep(Search* search, int i) noexcept nogil:
    """After all labels of the same pips and fee: the least fee at the hex, for every set of lines within the one used."""
    cdef const Label* label = &search.label[i]
    cdef int used
    for used in range(search.all_used + 1):
        if (used & label.used) == used and search.best[label.hex_][used] > label.fee:
            search.best[label.hex_][used] = label.fee

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
    cdef int here = search.label[i].hex_, bits = search.bits[here], d = search.label[i].direction, f
    if d < N_DIRECTIONS:                                    # not back
        bits &= ~(1 << (N_DIRECTIONS - 1 - d))
    while bits:
        d = lowest_bit(bits)
        bits &= bits - 1
        step_to(s, search, i, b.neighbour[here][d], d, b.run_pips[here][d], s.owner_bits[b.segment[here][d]], RUN_FEE)
    for f in range(b.n_ferries):
        if b.ferry[f].port == here and s.ferry_owner[f] != NOBODY:      # RL-65
            step_to(s, search, i, b.ferry[f].landing, N_DIRECTIONS, b.ferry[f].length + LOADING, 1 << s.ferry_owner[f], b.ferry[f].toll)

cdef inline void step_to(const State* s, Search* search, int i, int there, int direction, int pips, int owner_bits, int toll) noexcept nogil:
    """Step 4: a member's line is free; else the poorest owner who can be paid. The bounds come first: they are quick."""
    cdef const Label* label = &search.label[i]
    cdef int due = label.due, used = label.used | used_by(search, owner_bits), need = search.all_used & ~used, before
    cdef bint is_free = owner_bits & search.member_bits
    cdef int fee = label.fee if is_free else label.fee + toll, dearest = fee + search.dear[there][need]
    cdef uint64_t owed = label.owed
    if search.best[there][used] <= fee:                 # step 2 would drop it
        return
    if dearest > search.dearest or dearest >= search.least_fee:     # a label that is hopeless drops only hopeless ones
        return
    pips += label.pips
    if pips + (search.detour[there][need] if search.by_need else search.towards[there]) > search.longest:
        return
    if not is_free and not owe(search, owner_bits, toll, &due, &owed):
        return
    if search.best[there][0] != NO_FEE:                 # a hex on its way, reached when fewer lines had been used (RL-34)
        before = label.before if used == label.used else i
        while before != NO_HEX:
            if search.label[before].hex_ == there:
                return
            before = search.label[before].parent
    add_label(search, i, there, direction, pips, fee, due, owed, used)

cdef inline bint owe(const Search* search, int owner_bits, int toll, int* due, uint64_t* owed) noexcept nogil:
    """Step 4: the poorest of the owners who can be paid gets the toll; False when there is none, or too much is due."""
    cdef int j, rival
    for j in range(search.n_rivals):
        rival = search.preference[j]
        if (owner_bits >> rival) & 1:
            if (search.set_off_bits >> rival) & 1:
                owed[0] += <uint64_t>toll << search.byte_of[rival]
                return True
            if <int>((owed[0] >> search.byte_of[rival]) & 0xFF) + toll <= MOST_TO_ONE_RIVAL:
                owed[0] += <uint64_t>toll << search.byte_of[rival]
                due[0] += toll
                return due[0] <= search.payable
    return False

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
        if label.direction < N_DIRECTIONS:
            add_segment(path, b.segment[search.label[label.parent].hex_][label.direction])
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
