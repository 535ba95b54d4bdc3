# RAIL: what a player thinks of a position. Nothing here is a rule; the figures are the weights of the game.

# --- the odds of a race ---
cdef enum:
    TABLE_PIPS = 96             # longer routes count as this long
    TABLE_ROUNDS = 64
    MOMENTS = 6 * TABLE_ROUNDS  # of arrival: the round, and in it more unused pips before fewer (RL-45)

cdef float ARRIVAL[TABLE_PIPS][MOMENTS]         # how likely a train that needs so many pips arrives at each moment
cdef float BEHIND[TABLE_PIPS][MOMENTS]          # how likely it arrives later

cdef void fill_odds() noexcept nogil:
    """RL-42 to RL-45: one die a round."""
    cdef double here[TABLE_PIPS + 6]
    cdef double then[TABLE_PIPS + 6]
    cdef double left
    cdef int pips, r, total, die, moment
    memset(ARRIVAL, 0, sizeof(ARRIVAL))
    for pips in range(1, TABLE_PIPS):
        memset(here, 0, sizeof(here))
        here[0] = 1
        for r in range(TABLE_ROUNDS):
            memset(then, 0, sizeof(then))
            for total in range(pips):
                for die in range(1, 7):
                    then[total + die] += here[total] / 6
            for total in range(pips, pips + 6):
                ARRIVAL[pips][6 * r + 5 - (total - pips)] = then[total]
                then[total] = 0
            here = then
    ARRIVAL[0][0] = 1
    for pips in range(TABLE_PIPS):
        left = 1
        for moment in range(MOMENTS):
            left -= ARRIVAL[pips][moment]
            BEHIND[pips][moment] = max(left, 0)

fill_odds()

cdef void race_odds(const int* pips, int n, float* first, float* second) noexcept nogil:
    """How likely each of `n` trains is first and second; a tie counts half for each of two."""
    cdef float ahead[MAX_PLAYERS]               # of the train: the others arrive later
    cdef float nobody, one, others
    cdef int m[MAX_PLAYERS]
    cdef int i, j, k, moment
    for i in range(n):
        m[i] = min(max(pips[i], 0), TABLE_PIPS - 1)
        first[i], second[i] = 0, 0
    if n == 1:
        first[0] = 1
        return
    for i in range(n):
        for moment in range(min(6 * (m[i] + 1), MOMENTS)):
            if ARRIVAL[m[i]][moment] < 1e-6:
                continue
            nobody = 1
            for j in range(n):
                if j != i:
                    ahead[j] = BEHIND[m[j]][moment] + ARRIVAL[m[j]][moment] / 2
                    nobody *= ahead[j]
            first[i] += ARRIVAL[m[i]][moment] * nobody
            one = 0
            for j in range(n):
                if j != i:
                    others = 1 - ahead[j]
                    for k in range(n):
                        if k != i and k != j:
                            others *= ahead[k]
                    one += others
            second[i] += ARRIVAL[m[i]][moment] * one

# --- quick routes: the sum of pips and fees, and no other limit than 10 to one rival ---
cdef enum:
    FEE_PIPS = 2                # pips that a point of fee is worth
    QUEUE_RING = 16             # more than the dearest step

cdef struct Trip:
    int pips                    # 0: no way
    int fee
    int owed[MAX_PLAYERS]

cdef struct Survey:             # the quick routes of one train from one start
    uint64_t owed[MAX_LAND]     # a byte for each seat
    int16_t cost[MAX_LAND]
    int16_t pips[MAX_LAND]
    uint8_t is_own[MAX_LAND]    # uses a line of the train

cdef void survey_routes(const Map* b, const State* s, int member_bits, int from_hex, int goal, Survey* out) noexcept nogil:
    """From the start over everybody's track; up to a goal's hex, or to all (NO_HEX)."""
    cdef int16_t queue[QUEUE_RING][MAX_LAND]
    cdef int n_queue[QUEUE_RING]
    cdef int i, here, there, bits, d, cost = 0, last = 0, more, owner_bits, payee, n
    cdef uint64_t owed
    for i in range(b.n_hexes):
        out.cost[i] = FAR
    memset(n_queue, 0, sizeof(n_queue))
    out.cost[from_hex] = out.pips[from_hex] = out.owed[from_hex] = out.is_own[from_hex] = 0
    queue[0][0] = from_hex
    n_queue[0] = 1
    while cost <= last:
        i = cost % QUEUE_RING
        while n_queue[i] > 0:
            n_queue[i] -= 1
            here = queue[i][n_queue[i]]
            if out.cost[here] != cost:
                continue
            if here == goal:
                return
            bits = s.built_bits[here] if not b.is_abroad[here] else 0
            while bits:
                d = lowest_bit(bits)
                bits &= bits - 1
                there = b.neighbour[here][d]
                owner_bits = s.owner_bits[b.segment[here][d]]
                more = cost + b.run_pips[here][d]
                owed = out.owed[here]
                if not owner_bits & member_bits:
                    n = b.segment[here][d] % bit_count(owner_bits)
                    while n > 0:
                        owner_bits &= owner_bits - 1
                        n -= 1
                    payee = lowest_bit(owner_bits)
                    if ((owed >> (8 * payee)) & 0xFF) >= MOST_TO_ONE_RIVAL:
                        continue
                    owed += <uint64_t>RUN_FEE << (8 * payee)
                    more += FEE_PIPS
                if more < out.cost[there] and n_queue[more % QUEUE_RING] < MAX_LAND:
                    out.cost[there] = more
                    out.pips[there] = out.pips[here] + b.run_pips[here][d]
                    out.owed[there] = owed
                    out.is_own[there] = out.is_own[here] or owner_bits & member_bits != 0
                    queue[more % QUEUE_RING][n_queue[more % QUEUE_RING]] = there
                    n_queue[more % QUEUE_RING] += 1
                    last = max(last, more)
        cost += 1

cdef void read_trip(const State* s, const Survey* survey, int hex_, Trip* trip) noexcept nogil:
    cdef int rival
    trip.pips = trip.fee = 0
    if survey.cost[hex_] == FAR or not survey.is_own[hex_]:
        return
    trip.pips = survey.pips[hex_]
    for rival in range(s.n_players):
        trip.owed[rival] = (survey.owed[hex_] >> (8 * rival)) & 0xFF
        trip.fee += trip.owed[rival]

# --- the value of networks ---
cdef enum:
    SAMPLED_STARTS = 9          # cities from which the races of a network are looked at
    CACHE_SIZE = 1 << 13

cdef struct Cached:
    uint64_t key                # mixed with the values, so that a torn entry is not taken for a whole one
    float value[MAX_PLAYERS]

cdef Cached CACHE[CACHE_SIZE]

cdef inline uint64_t seal(const float* value) noexcept nogil:
    cdef uint64_t word[3]
    memcpy(word, value, sizeof(word))
    return word[0] ^ (word[1] * 3) ^ (word[2] * 5)

cdef void race_values(const Map* b, const State* s, float* value) noexcept nogil:
    """What a race will bring each player in the mean: prizes, less fees paid, with fees received."""
    cdef const uint64_t* word = <const uint64_t*>s.owner_bits
    cdef uint64_t key = <uint64_t>b ^ (<uint64_t>s.n_players << 48)
    cdef Cached* entry
    cdef int i
    for i in range(MAX_SEGMENTS // 8):
        if word[i]:
            key = random.mix(key ^ word[i] ^ (<uint64_t>i << 56))
    entry = &CACHE[key % CACHE_SIZE]
    memcpy(value, entry.value, MAX_PLAYERS * sizeof(float))
    if entry.key == key ^ seal(value) and key != 0:
        return
    work_out_races(b, s, value)
    memcpy(entry.value, value, MAX_PLAYERS * sizeof(float))
    entry.key = key ^ seal(value)

cdef void work_out_races(const Map* b, const State* s, float* value) noexcept nogil:
    """The mean over sampled starts and all goals of what the race brings when everybody who gains by it enters."""
    cdef Survey survey[MAX_PLAYERS]
    cdef Trip trip[MAX_PLAYERS]
    cdef float gain[MAX_PLAYERS]
    cdef int start, goal, player, n = 0, step = max(b.n_cities // SAMPLED_STARTS, 1)
    for player in range(MAX_PLAYERS):
        value[player] = 0
    start = -step
    while start + step < b.n_cities:
        start += step
        if s.touch_bits[b.city_hex[start]] == 0:
            continue
        for player in range(s.n_players):
            survey_routes(b, s, 1 << player, b.city_hex[start], NO_HEX, &survey[player])
        for goal in range(b.n_cities):
            if b.distance[start][b.city_hex[goal]] < b.least_distance or s.touch_bits[b.city_hex[goal]] == 0:
                continue
            for player in range(s.n_players):
                read_trip(s, &survey[player], b.city_hex[goal], &trip[player])
            foresee_race(s, trip, gain)
            for player in range(s.n_players):
                value[player] += gain[player]
            n += 1
    for player in range(s.n_players):
        value[player] /= max(n, 1)

cdef void foresee_race(const State* s, const Trip* trip, float* gain) noexcept nogil:
    """Who gains by entering enters; what each player has of it. Leads count as in a race of middling length."""
    cdef float strength[MAX_PLAYERS]
    cdef float total, first, second
    cdef int player, rival, least = FAR, n = 0, worst, again
    cdef int in_bits = 0
    for player in range(s.n_players):
        gain[player] = 0
        if trip[player].pips > 0:
            in_bits |= 1 << player
            least = min(least, trip[player].pips)
    for player in range(s.n_players):
        strength[player] = LEAD[min(max(trip[player].pips - least, 0), LONGEST_LEAD)] if (in_bits >> player) & 1 else 0
    for again in range(s.n_players):
        total = 0
        for player in range(s.n_players):
            if (in_bits >> player) & 1:
                total += strength[player]
        worst = NOBODY
        for player in range(s.n_players):
            if not (in_bits >> player) & 1:
                gain[player] = 0
                continue
            first = strength[player] / total
            second = 0
            for rival in range(s.n_players):
                if rival != player and (in_bits >> rival) & 1 and total > strength[rival]:
                    second += strength[rival] / total * strength[player] / (total - strength[rival])
            gain[player] = FIRST_PRIZE * first + SECOND_PRIZE * second - trip[player].fee
            if gain[player] < 0 and (worst == NOBODY or gain[player] < gain[worst]):
                worst = player
        if worst == NOBODY:
            break
        in_bits &= ~(1 << worst)
    for player in range(s.n_players):
        if (in_bits >> player) & 1:
            for rival in range(s.n_players):
                gain[rival] += trip[player].owed[rival]

cdef enum:
    LONGEST_LEAD = 30

cdef float LEAD[LONGEST_LEAD + 1]

cdef void fill_leads() noexcept nogil:
    """How a train's strength falls with the pips it needs more; section 11: on 16 pips 2 more leave 38 %, 4 more 26 %."""
    cdef int lead
    for lead in range(LONGEST_LEAD + 1):
        LEAD[lead] = expf(<float>-0.26 * lead)

fill_leads()

# --- construction: how far the cities are ---
cdef enum:
    TURN_PIPS = 7               # of a turn in the mean

cdef struct Reach:
    uint8_t pips[MAX_PLAYERS][MAX_CITIES]       # from each player's network to each city, over the bare map
    float numbers[MAX_PLAYERS]                  # of the cities that the network touches

cdef void look_around(const Map* b, const State* s, Reach* out) noexcept nogil:
    cdef int16_t hexes[MAX_LAND]
    cdef const uint8_t* row
    cdef int player, i, c, n
    for player in range(s.n_players):
        memset(out.pips[player], NO_FEE, MAX_CITIES)
        n = list_land(&s.network[player], hexes)
        for i in range(n):
            row = b.build_pips[hexes[i]]
            for c in range(MAX_CITIES):
                out.pips[player][c] = min(out.pips[player][c], row[c])
        out.numbers[player] = 0
        for c in range(b.n_cities):
            if out.pips[player][c] == 0:
                out.numbers[player] += b.city_numbers[c]

cdef inline float sure(float lead) noexcept nogil:
    return 1 / (1 + expf(-min(max(lead, <float>-8), <float>8)))

cdef float premium_worth(const State* s, const Weights* w, const Reach* reach, int player, int city) noexcept nogil:
    """RL-14: how likely the player is the first at an open city, by the pips that the nearest rival needs more; and how
    much less likely it is after another turn of his: a city that nobody else can reach soon may wait."""
    cdef int rival, least = NO_FEE
    cdef float now
    for rival in range(s.n_players):
        if rival != player:
            least = min(least, <int>reach.pips[rival][city])
    now = sure((least - reach.pips[player][city]) / w.contest)
    return PREMIUM * (w.premium * now + w.urgency * (now - sure((least - TURN_PIPS - reach.pips[player][city]) / w.contest)))

cdef float city_worth(const Map* b, const State* s, const Weights* w, const Reach* reach, int player, int city, float races) noexcept nogil:
    """What it is worth to connect a city: the premium if one is first, and more pairs that can be run on own lines."""
    cdef float worth = w.city * races * b.city_numbers[city] * (reach.numbers[player] + 2) / (b.n_numbers * b.n_numbers)
    if s.decision == BUILDING and not (s.connected_bits >> city) & 1:
        worth += premium_worth(s, w, reach, player, city)
    if s.touch_bits[b.city_hex[city]] == 0:
        worth += w.monopoly
    return worth

cdef float races_left(const Map* b, const State* s, const Weights* w, const float* value) noexcept nogil:
    """The races still to come after the running one: till the first account reaches its target, or by their number."""
    cdef int player, target = target_of(s)
    cdef float left = w.most_races
    if s.choice[RACES]:
        return max(s.choice[RACES] - s.race_number + (s.decision < ENTERING), 0)
    for player in range(s.n_players):
        left = min(left, max(target - s.account[player], 0) / max(value[player], 4))
    return left

# --- evaluate ---
cdef void evaluate(const void* board, const void* state, const float* weight, float* value) noexcept nogil:
    """The account each player may expect at the end."""
    cdef const Map* b = <const Map*>board
    cdef const State* s = <const State*>state
    cdef const Weights* w = <const Weights*>weight
    cdef float race[MAX_PLAYERS]
    cdef float left
    cdef int player
    if s.decision == GAME_OVER:
        for player in range(s.n_players):
            value[player] = s.account[player]
        return
    if s.decision < DRAWING_START:
        evaluate_construction(b, s, w, value)
        return
    race_values(b, s, race)
    left = races_left(b, s, w, race)
    for player in range(s.n_players):
        value[player] = s.account[player] + left * race[player]
    if ENTERING <= s.decision <= RUNNING:
        add_race(b, s, value)

cdef void evaluate_construction(const Map* b, const State* s, const Weights* w, float* value) noexcept nogil:
    """Accounts, premiums within reach, and the share of the races that the networks will win as they may grow."""
    cdef Reach reach
    cdef float near[MAX_PLAYERS]
    cdef float access, total, all_pairs = 0, turns
    cdef int player, city
    look_around(b, s, &reach)
    turns = 1 + n_open_cities(b, s) / (w.cities_a_round * s.n_players)
    if s.declared:
        turns = min(turns, <float>(s.declared + ROUNDS_AFTER_DECLARATION - s.round + 1))
    for player in range(s.n_players):
        access = 0
        for city in range(b.n_cities):
            access += b.city_numbers[city] * (1 if reach.pips[player][city] == 0
                                              else expf(-reach.pips[player][city] / (w.growth * turns + 1)))
        near[player] = access * access
        all_pairs += near[player]
        value[player] = s.account[player]
    for city in range(b.n_cities):
        if (s.connected_bits >> city) & 1:
            continue
        total = w.nobody
        for player in range(s.n_players):
            total += expf(-min(reach.pips[player][city], <uint8_t>60) / w.contest)
        for player in range(s.n_players):
            value[player] += PREMIUM * expf(-min(reach.pips[player][city], <uint8_t>60) / w.contest) / total
    for player in range(s.n_players):
        value[player] += w.races * w.race_points * near[player] / (all_pairs + w.spare * b.n_numbers * b.n_numbers)

cdef void add_race(const Map* b, const State* s, float* value) noexcept nogil:
    """What the running race will bring each player, before its prizes and, while routes are named, before its fees."""
    cdef Outlook o
    cdef int player
    look_at_race(b, s, NOBODY, &o)
    settle_gains(s, &o)
    for player in range(s.n_players):
        value[player] += o.gain[player]

# --- a race at hand ---
cdef struct Outlook:
    int n                               # trains that run, or are expected to
    int member[MAX_PLAYERS][2]
    Trip trip[MAX_PLAYERS]
    float first[MAX_PLAYERS]            # by train
    float second[MAX_PLAYERS]
    float gain[MAX_PLAYERS]             # by player

cdef void plan_trip(const Map* b, const State* s, int member_bits, Trip* trip) noexcept nogil:
    """The quick route of a train in the running race, to the goal that is cheapest for it."""
    cdef Survey survey
    cdef int16_t goals[MAX_LAND]
    cdef int i, n = list_land(&s.goals, goals), best = NO_HEX
    survey_routes(b, s, member_bits, s.race_start, goals[0] if n == 1 else NO_HEX, &survey)
    for i in range(n):
        if survey.cost[goals[i]] < FAR and survey.is_own[goals[i]] and (best == NO_HEX or survey.cost[goals[i]] < survey.cost[best]):
            best = goals[i]
    trip.pips = trip.fee = 0
    if best != NO_HEX:
        read_trip(s, &survey, best, trip)

cdef void look_at_race(const Map* b, const State* s, int entering, Outlook* o) noexcept nogil:
    """The trains of the race: those that have entered, `entering`, and of those who have not been asked yet the ones who
    would gain against all of these."""
    cdef const Train* t
    cdef float before[MAX_PLAYERS]
    cdef int i, player, rival
    o.n = 0
    for i in range(s.n_trains):
        t = &s.train[i]
        o.member[o.n][0], o.member[o.n][1] = t.member[0], t.member[1]
        if t.is_named:
            o.trip[o.n].pips = t.pips - t.thrown
            o.trip[o.n].fee = 0
            for rival in range(s.n_players):
                o.trip[o.n].owed[rival] = t.fee[rival] if s.decision < RUNNING else 0
                o.trip[o.n].fee += o.trip[o.n].owed[rival]
        else:
            plan_trip(b, s, 1 << t.member[0] | (0 if t.member[1] == NOBODY else 1 << t.member[1]), &o.trip[o.n])
            if o.trip[o.n].pips == 0:
                continue
        o.n += 1
    if s.decision in (ENTERING, ANSWERING_RUN):
        for i in range(s.n_players):
            player = clockwise(s, s.opener, i)
            if s.entry[player] != UNANSWERED:
                continue
            plan_trip(b, s, 1 << player, &o.trip[o.n])
            if o.trip[o.n].pips == 0:
                continue
            o.member[o.n][0], o.member[o.n][1] = player, NOBODY
            o.n += 1
            if player != entering and rough_value(o, o.n - 1) <= o.trip[o.n - 1].fee:
                o.n -= 1

cdef float rough_value(const Outlook* o, int train) noexcept nogil:
    """What prizes a train may expect, by the pips alone."""
    cdef float strength[MAX_PLAYERS]
    cdef float total = 0, second = 0
    cdef int i, least = FAR
    for i in range(o.n):
        least = min(least, o.trip[i].pips)
    for i in range(o.n):
        strength[i] = LEAD[min(max(o.trip[i].pips - least, 0), LONGEST_LEAD)]
        total += strength[i]
    for i in range(o.n):
        if i != train:
            second += strength[i] / total * strength[train] / (total - strength[i])
    return FIRST_PRIZE * strength[train] / total + SECOND_PRIZE * second

cdef inline float prize_value(const Outlook* o, int train) noexcept nogil:
    return FIRST_PRIZE * o.first[train] + SECOND_PRIZE * o.second[train]

cdef void settle_gains(const State* s, Outlook* o) noexcept nogil:
    """Odds, and what the race brings each player."""
    cdef int pips[MAX_PLAYERS]
    cdef float each
    cdef int i, rival
    memset(o.gain, 0, sizeof(o.gain))
    for i in range(o.n):
        pips[i] = o.trip[i].pips
    race_odds(pips, o.n, o.first, o.second)
    for i in range(o.n):
        each = prize_value(o, i) - o.trip[i].fee
        if o.member[i][1] == NOBODY:
            o.gain[o.member[i][0]] += each
        else:
            o.gain[o.member[i][0]] += each / 2
            o.gain[o.member[i][1]] += each / 2
        for rival in range(s.n_players):
            o.gain[rival] += o.trip[i].owed[rival]

cdef float joint_gain(const Map* b, const State* s, int p, int q) noexcept nogil:
    """What a joint run would bring each of the two, the others entering as they would without it."""
    cdef State after
    cdef Outlook o
    after = s[0]
    after.decision = ENTERING
    enter_train(&after, p, q)
    look_at_race(b, &after, NOBODY, &o)
    settle_gains(s, &o)
    return min(o.gain[p], o.gain[q])

# --- gains: what each move is worth to the player who decides ---
cdef struct Thoughts:           # what the moves of one decision have in common
    Reach reach
    float worth[MAX_CITIES]     # of connecting each city,
    float pips[MAX_CITIES]      # and what the next city behind it adds, in part: to the worth, and to the pips
    float more[MAX_CITIES]
    float races                 # to come
    int player

cdef void think(const Map* b, const State* s, const Weights* w, Thoughts* t) noexcept nogil:
    cdef float value[MAX_PLAYERS]
    cdef int city
    look_around(b, s, &t.reach)
    t.player = s.turn if s.decision != EXPANDING else expander(s)
    t.races = w.races
    if s.decision == EXPANDING:
        race_values(b, s, value)
        t.races = races_left(b, s, w, value)
    for city in range(b.n_cities):
        t.worth[city] = 0
        if t.reach.pips[t.player][city] > 0:
            t.worth[city] = city_worth(b, s, w, &t.reach, t.player, city, t.races)
    for city in range(b.n_cities):
        t.more[city] = t.pips[city] = 0
        if t.worth[city] > 0 and s.decision == BUILDING:
            look_behind(b, w, t, city)

cdef void look_behind(const Map* b, const Weights* w, Thoughts* t, int city) noexcept nogil:
    """The best city to go on to from a city."""
    cdef const uint8_t* row = b.build_pips[b.city_hex[city]]
    cdef float best = 0
    cdef int other
    for other in range(b.n_cities):
        if other != city and t.worth[other] > best * (row[other] + w.start_up):
            best = t.worth[other] / (row[other] + w.start_up)
            t.more[city], t.pips[city] = w.chain * t.worth[other], w.chain * row[other]

cdef inline float plan_rate(const Weights* w, const Thoughts* t, int city, float pips, float fee) noexcept nogil:
    """What a line to the city, and on, is worth by the pip."""
    return (t.worth[city] + t.more[city] - w.fee * fee) / (pips + t.pips[city] + w.start_up)

cdef float segment_gain(const Map* b, const State* s, const Weights* w, const Thoughts* t, int u, int v) noexcept nogil:
    """RL-9: the best line plan that the segment begins, by the pip: what its city is worth over what it still takes."""
    cdef int segment = b.segment[u][direction_to(b, u, v)], cost = b.cost[segment], city, pips
    cdef const uint8_t* to_go = b.build_pips[v]
    cdef const uint8_t* now = t.reach.pips[t.player]
    cdef float fee = fees_of(b, s, t.player, 1 << t.player, u, v, segment), best = 0, rate
    for city in range(b.n_cities):
        pips = cost + to_go[city]
        if t.worth[city] == 0 or pips > now[city] + DETOUR:
            continue
        rate = plan_rate(w, t, city, pips, fee)
        if pips > now[city]:
            rate *= w.detour
        best = max(best, rate)
    if s.decision == EXPANDING:
        return expansion_gain(b, s, w, t, v, cost, fee)
    return best * w.pace if best > 0 else -fee - 1

cdef float expansion_gain(const Map* b, const State* s, const Weights* w, const Thoughts* t, int v, int cost, float fee) noexcept nogil:
    """RL-49: only where a city within the limit pays back what the line to it costs."""
    cdef int city
    cdef float best = -1, gain
    for city in range(b.n_cities):
        if t.worth[city] > 0 and cost + b.build_pips[v][city] <= t.reach.pips[t.player][city] and (
                cost + b.build_pips[v][city] <= s.limit[t.player]):
            gain = t.worth[city] - w.payback * (cost + b.build_pips[v][city] + fee)
            best = max(best, gain)
    return best

cdef float move_gain(const Map* b, const State* s, const Weights* w, const Thoughts* t, Move move) noexcept nogil:
    """What a build step is worth to the builder, in points; to end is worth nothing."""
    cdef int kind = move_kind(move)
    if kind == DO_BUILD:
        return segment_gain(b, s, w, t, move_a(move), move_b(move))
    if kind == DO_START:
        return start_gain(b, s, w, move_a(move))
    if kind == DO_FERRY:
        return w.ferry
    if kind == DO_DECLARE:
        return w.declare
    if kind == DO_OFFER:
        return -2
    return 0

cdef float start_gain(const Map* b, const State* s, const Weights* w, int hex_) noexcept nogil:
    """RL-5: many cities near, few rivals."""
    cdef float worth = 0
    cdef int city, player
    for city in range(b.n_cities):
        worth += b.city_numbers[city] * expf(-b.build_pips[hex_][city] / w.home)
    for player in range(s.n_players):
        if s.start[player] == hex_:
            worth *= w.crowd
    return worth

cdef float entry_gain(const Map* b, const State* s, const Weights* w, Move move) noexcept nogil:
    """RL-31: what running brings over staying out, where rivals' fees may come in all the same."""
    cdef Outlook inside, outside
    cdef State after
    cdef float others = 0
    cdef int player = asked(s), rival
    if move_kind(move) == DO_OUT:
        return 0
    after = s[0]
    after.entry[player] = OUT
    look_at_race(b, &after, NOBODY, &outside)
    settle_gains(s, &outside)
    if move_kind(move) == DO_OFFER:
        return joint_gain(b, s, player, move_a(move)) - outside.gain[player] - 1
    look_at_race(b, s, player, &inside)
    settle_gains(s, &inside)
    for rival in range(s.n_players):
        if rival != player:
            others += inside.gain[rival] - outside.gain[rival]
    return inside.gain[player] - outside.gain[player] - w.rivals * others / (s.n_players - 1) + w.boldness

cdef float answer_gain(const Map* b, const State* s, bint accepted) noexcept nogil:
    """RL-33: a joint run against running alone later; RL-58: a joint line is seldom better than two turns."""
    cdef Outlook alone
    cdef State after
    if not accepted:
        return 0
    if s.decision == ANSWERING_LINE:
        return -2
    after = s[0]
    after.decision = ENTERING
    look_at_race(b, &after, s.offered_to, &alone)
    settle_gains(s, &alone)
    return joint_gain(b, s, asked(s), s.offered_to) - max(alone.gain[s.offered_to], 0)

cdef float route_gain(const Map* b, const State* s, Move move) noexcept nogil:
    """RL-34: the prizes that the pips promise against the trains there are, less the fee."""
    cdef Outlook o
    cdef int train = naming(b, s), i, n = 0
    cdef int pips[MAX_PLAYERS]
    cdef float first[MAX_PLAYERS]
    cdef float second[MAX_PLAYERS]
    if move_kind(move) == DO_WITHDRAW:
        return 0
    look_at_race(b, s, NOBODY, &o)
    pips[n] = move_a(move)
    n += 1
    for i in range(o.n):
        if o.member[i][0] != s.train[train].member[0]:
            pips[n] = o.trip[i].pips
            n += 1
    race_odds(pips, n, first, second)
    return FIRST_PRIZE * first[0] + SECOND_PRIZE * second[0] - move_b(move)

cdef float decision_gain(const Map* b, const State* s, const Weights* w, const Thoughts* t, Move move) noexcept nogil:
    if s.decision == ENTERING:
        return entry_gain(b, s, w, move)
    if s.decision in (ANSWERING_RUN, ANSWERING_LINE):
        return answer_gain(b, s, move_kind(move) == DO_ACCEPT)
    if s.decision in (NAMING, REPAIRING):
        return route_gain(b, s, move)
    return move_gain(b, s, w, t, move)

# --- candidates and priors ---
cdef enum:
    MOST_SEGMENTS = 10          # that a search looks at
    DETOUR = 2                  # pips that a line plan may be longer than the shortest

cdef int candidates(const void* board, const void* state, const float* weight, Move* out) noexcept nogil:
    """Every legal move, but of the segments only the most promising."""
    cdef const Map* b = <const Map*>board
    cdef const State* s = <const State*>state
    cdef const Weights* w = <const Weights*>weight
    cdef Thoughts t
    cdef float gain[MAX_STEPS]
    cdef int i, k, n = legal(board, state, out), kept = 0, rank
    if n <= MOST_SEGMENTS or s.decision not in (BUILDING, EXPANDING):
        return n
    think(b, s, w, &t)
    for i in range(n):
        gain[i] = move_gain(b, s, w, &t, out[i])
    for i in range(n):
        rank = 0
        if move_kind(out[i]) == DO_BUILD:
            for k in range(n):
                rank += gain[k] > gain[i] or (gain[k] == gain[i] and k < i)
        if rank < MOST_SEGMENTS:
            out[kept] = out[i]
            kept += 1
    return kept

cdef void priors(const void* board, const void* state, const Move* move, int n, const float* weight, float* p) noexcept nogil:
    """The larger the gain, the likelier the move."""
    cdef const Map* b = <const Map*>board
    cdef const State* s = <const State*>state
    cdef const Weights* w = <const Weights*>weight
    cdef Thoughts t
    cdef float most = -1e30, sharpness
    cdef int i
    if s.decision in (CHOOSING_START, BUILDING, EXPANDING):
        think(b, s, w, &t)
    for i in range(n):
        p[i] = decision_gain(b, s, w, &t, move[i])
        most = max(most, p[i])
    sharpness = w.sharpness if s.decision in (CHOOSING_START, BUILDING, EXPANDING) else w.race_sharpness
    for i in range(n):
        p[i] = expf(max((p[i] - most) / sharpness, <float>-12))

# --- advance: the next step of a playout ---
cdef void advance(const void* board, void* state, const float* weight, Rng* rng) noexcept nogil:
    """Plays the running decision and what belongs to it: in construction the whole turn, line plan by line plan; a race
    that is being entered to its end."""
    cdef const Map* b = <const Map*>board
    cdef State* s = <State*>state
    cdef const Weights* w = <const Weights*>weight
    cdef int steps = 0
    if s.decision == BUILDING:
        while s.decision == BUILDING and steps < 12 and build_line(b, s, w, rng):
            steps += 1
        if s.decision == BUILDING:
            end_turn(b, s)
    elif s.decision == EXPANDING:
        end_building(b, s)
    elif s.decision in (ENTERING, ANSWERING_RUN):
        hold_race(b, s, rng)
    else:
        apply(board, state, sampled_move(b, s, w, rng))

cdef void hold_race(const Map* b, State* s, Rng* rng) noexcept nogil:
    """The trains that have entered and those that would gain run; who arrives when is drawn at once. Nobody builds."""
    cdef Outlook o
    cdef int moment[MAX_PLAYERS]
    cdef int i, j, k, ahead, points, rival
    look_at_race(b, s, NOBODY, &o)
    for i in range(o.n):
        moment[i] = drawn_moment(o.trip[i].pips, rng)
        for rival in range(s.n_players):
            points = min(o.trip[i].owed[rival], <int>s.account[o.member[i][0]])
            s.account[o.member[i][0]] -= points
            s.account[rival] += points
    for i in range(o.n):
        ahead = 0
        for j in range(o.n):
            ahead += moment[j] < moment[i] or (moment[j] == moment[i] and j < i)
        points = FIRST_PRIZE if ahead == 0 else SECOND_PRIZE if ahead == 1 else 0
        for k in range(2):
            if o.member[i][k] != NOBODY:
                s.account[o.member[i][k]] += points if o.member[i][1] == NOBODY else points // 2
    s.n_trains = s.refused_bits = 0
    s.offered_to = NOBODY
    memset(s.prize, 0, sizeof(s.prize))
    memset(s.paid, 0, sizeof(s.paid))
    s.race_over = 1
    note_chained_start(b, s)
    s.decision = GAME_OVER
    if not is_last_race(s):
        expand_or_go_on(b, s)

cdef int drawn_moment(int pips, Rng* rng) noexcept nogil:
    cdef float pick = random.uniform(rng)
    cdef int moment = 0, m = min(max(pips, 0), TABLE_PIPS - 1)
    while moment + 1 < MOMENTS and BEHIND[m][moment] > pick:
        moment += 1
    return moment

cdef Move sampled_move(const Map* b, const State* s, const Weights* w, Rng* rng) noexcept nogil:
    """The best move of the decision by its gain, or now and then any."""
    cdef Move move[MAX_STEPS]
    cdef Thoughts t
    cdef float gain, best_gain = -1e30
    cdef int i, best = 0, n = legal(b, s, move)
    if n == 1:
        return move[0]
    if random.uniform(rng) < w.random:
        return move[random.below(rng, n)]
    if s.decision in (CHOOSING_START, EXPANDING):
        think(b, s, w, &t)
    for i in range(n):
        if move_kind(move[i]) == DO_OFFER:              # rare, and dear to think through
            continue
        gain = decision_gain(b, s, w, &t, move[i])
        if gain > best_gain:
            best, best_gain = i, gain
    return move[best]

cdef bint build_line(const Map* b, State* s, const Weights* w, Rng* rng) noexcept nogil:
    """RL-9: chooses a city by its worth a pip and builds towards it while pips last; was a segment built?"""
    cdef Thoughts t
    cdef float rate, best_rate = 0
    cdef int16_t hexes[MAX_LAND]
    cdef int city, target = NO_HEX, i, n, u = NO_HEX, least = NO_FEE, built = 0
    if s.partner != NOBODY or s.pips == 0:
        return False
    think(b, s, w, &t)
    for city in range(b.n_cities):
        if t.worth[city] > 0:
            rate = plan_rate(w, &t, city, t.reach.pips[t.player][city], 0) * (1 + w.noise * (random.uniform(rng) - <float>0.5))
            if rate > best_rate:
                target, best_rate = city, rate
    if target == NO_HEX:
        return False
    n = list_land(&s.network[t.player], hexes)
    for i in range(n):
        if b.build_pips[hexes[i]][target] < least:
            u, least = hexes[i], b.build_pips[hexes[i]][target]
    while s.decision == BUILDING and u != NO_HEX and u != b.city_hex[target]:
        u = step_towards(b, s, u, target)
        built += u != NO_HEX
    return built > 0

cdef int step_towards(const Map* b, State* s, int u, int target) noexcept nogil:
    """Builds the segment from u that leads on to the city with the least pips and fees; where it ends, or NO_HEX."""
    cdef int bits = b.home_bits[u], d, v, segment, best = NO_HEX, cost, least = FAR
    while bits:
        d = lowest_bit(bits)
        bits &= bits - 1
        v, segment = b.neighbour[u][d], b.segment[u][d]
        if b.build_pips[v][target] >= b.build_pips[u][target] + DETOUR or has_land(&s.network[s.turn], v):
            continue
        cost = b.cost[segment] + b.build_pips[v][target] + 2 * fees_of(b, s, s.turn, 1 << s.turn, u, v, segment)
        if cost < least:
            best, least = v, cost
    if best == NO_HEX or build_fault(b, s, u, best) != 0:
        return NO_HEX
    build(b, s, u, best)
    return best
