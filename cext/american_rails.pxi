# American Rails: what a player thinks of a position. Nothing here is a rule; the figures are the weights of the game.

cdef struct Prospect:           # where a company could build to
    uint8_t near[MAX_CITIES]    # dollars from its track to each city, on an empty board
    int n_targets
    int8_t target[N_TARGETS]    # the cities that bring most for a dollar
    float worth[N_TARGETS]      # income on arrival there
    float growth                # income that a dollar of its treasury becomes

cdef struct Outlook:            # what all judgements rest on, worked out once for a position
    float rounds                # dividends still to come
    float worth[MAX_CITIES]     # of each city to one more company, special connections apart
    float start_income          # of a company that starts now, in the best city for it
    float start_growth
    Prospect prospect[N_COMPANIES]
    float income[N_COMPANIES]
    float future[N_COMPANIES]   # dollars that the company will pay out, to all shares together
    float shares[N_COMPANIES]   # among how many shares they will be divided

# --- how long ---
cdef float rounds_left(const Map* b, const State* s, const Weights* w) noexcept nogil:
    """The dividends still to come: the end condition that comes first decides (AR-62 to AR-64)."""
    cdef float supply[N_COMPANIES + 1]
    cdef float further
    cdef int company, unsold = 0, n = 0
    if is_at_end(b, s):
        return 1
    for company in range(N_COMPANIES):
        if company != s.removed:
            unsold += s.unsold[company]
            supply[n] = (s.cubes[company] - b.low_supply) / w.cubes_a_round
            n += 1
    supply[n] = s.houses - b.low_supply         # about one a round
    further = max(unsold, 1) / w.shares_a_round
    further = min(further, least_of(supply, n + 1, b.low_supplies[s.n_players]))
    return min(1 + max(further, 0), <float>(b.last_year - s.year + 1))

cdef float least_of(float* figure, int n, int rank) noexcept nogil:
    """The figure of this rank, counted from the least; the array is used up."""
    cdef int i, k, least = 0
    for i in range(rank):
        least = 0
        for k in range(1, n):
            if figure[k] < figure[least]:
                least = k
        if i + 1 < rank:
            figure[least] = 1e6
    return figure[least]

# --- how much ---
cdef inline int link_gain(const Map* b, const State* s, int company, int hex_) noexcept nogil:
    """AR-56: what the special connections that the city would complete are worth."""
    cdef int i, gain = 0
    if b.link_bits[hex_]:
        for i in range(N_LINKS):
            if (b.link_bits[hex_] >> i) & 1:
                if has_hex(&s.track[company], b.link[i][0] if b.link[i][1] == hex_ else b.link[i][1]):
                    gain += b.link_bonus[i]
    return gain

cdef void look_around(const Map* b, const State* s, const Weights* w, const float* worth, int company, Prospect* p) noexcept nogil:
    """The cities that the company could build to, the best for its money first."""
    cdef int hexes[MAX_HEXES]
    cdef int i, k, n = list_hexes(&s.track[company], hexes)
    memset(p.near, FAR, sizeof(p.near))
    for i in range(n):
        for k in range(MAX_CITIES):
            p.near[k] = min(p.near[k], b.way[hexes[i]][k])
    pick_targets(b, s, w, worth, company, p)

cdef void pick_targets(const Map* b, const State* s, const Weights* w, const float* worth, int company, Prospect* p) noexcept nogil:
    cdef float rate[N_TARGETS]
    cdef float value, this_rate, total = 0
    cdef int k, i
    p.n_targets = 0
    for k in range(b.n_cities):
        if p.near[k] == 0:                      # it is there already
            continue
        value = worth[k] + link_gain(b, s, company, b.city[k])
        this_rate = value / (p.near[k] + b.cube_cost[b.city[k]] * s.n_on[b.city[k]])
        if p.n_targets == N_TARGETS and this_rate <= rate[N_TARGETS - 1]:
            continue
        i = p.n_targets if p.n_targets < N_TARGETS else N_TARGETS - 1
        while i > 0 and rate[i - 1] < this_rate:
            rate[i], p.target[i], p.worth[i] = rate[i - 1], p.target[i - 1], p.worth[i - 1]
            i -= 1
        rate[i], p.target[i], p.worth[i] = this_rate, k, value
        p.n_targets = min(p.n_targets + 1, N_TARGETS)
    for i in range(min(p.n_targets, 3)):
        total += rate[i]
    p.growth = w.growth * total / 3

cdef inline float spendable(const State* s, const Weights* w, float rounds, int company, float extra) noexcept nogil:
    """Dollars that will become track: what the treasury has, the rounds allow and the cubes suffice for."""
    return min(min(s.treasury[company] + extra, w.spending * rounds), <float>3 * s.cubes[company])

cdef inline float future_of(const State* s, const Weights* w, const Outlook* o, int company, float extra) noexcept nogil:
    """What the company will pay out in all, with `extra` dollars more in its treasury."""
    cdef float growth = o.start_growth if is_off_map(s, company) else o.prospect[company].growth
    return (o.rounds * o.income[company]
            + w.lag * o.rounds * (growth * spendable(s, w, o.rounds, company, extra) + w.development * (o.rounds - 1)))

cdef inline bint is_off_map(const State* s, int company) noexcept nogil:
    return s.track[company].word[0] == 0 and count_hexes(&s.track[company]) == 0

cdef inline float shares_to_be(const State* s, const Weights* w, float rounds, int company, int sold, int unsold) noexcept nogil:
    """Among how many shares the dividends will be divided in the mean."""
    return max(sold + w.dilution * unsold * min(rounds - 1, 1), 1)

cdef void look_ahead(const Map* b, const State* s, const Weights* w, Outlook* o) noexcept nogil:
    cdef int company, k, hex_
    cdef bint any_off = False
    o.rounds = rounds_left(b, s, w)
    for k in range(b.n_cities):
        hex_ = b.city[k]
        o.worth[k] = city_value(b, s, hex_, s.n_on[hex_] + 1)
    for company in range(N_COMPANIES):
        if company != s.removed and is_off_map(s, company):
            any_off = True
        else:
            look_around(b, s, w, o.worth, company, &o.prospect[company])
            if not has_way(s, company):
                o.prospect[company].growth = 0
    if any_off:
        look_for_start(b, s, w, o)
    for company in range(N_COMPANIES):
        o.income[company] = s.income[company]
        if company != s.removed and is_off_map(s, company):
            o.income[company] = o.start_income
        o.future[company] = future_of(s, w, o, company, 0)
        o.shares[company] = shares_to_be(s, w, o.rounds, company, s.sold[company], s.unsold[company])

cdef bint has_way(const State* s, int company) noexcept nogil:
    """Is there a hex where the next cube could go, if money were there?"""
    cdef int i
    for i in range(HEX_WORDS):
        if s.frontier[company].word[i] & ~s.blocked.word[i]:
            return True
    return False

cdef void look_for_start(const Map* b, const State* s, const Weights* w, Outlook* o) noexcept nogil:
    """The best city that is still free for a first cube."""
    cdef float growth, value, best = -1
    cdef int k
    o.start_income = o.start_growth = 0
    for k in range(b.n_cities):
        if s.n_on[b.city[k]] == 0:
            growth = start_growth(b, s, w, o, b.city[k])
            value = start_value(w, o, b.full[b.city[k]], growth, w.spending * 2)
            if value > best:
                best, o.start_income, o.start_growth = value, b.full[b.city[k]], growth

cdef float start_growth(const Map* b, const State* s, const Weights* w, const Outlook* o, int hex_) noexcept nogil:
    """Income for a dollar that a company would find from there."""
    cdef float rate[3]
    cdef float this_rate
    cdef int k
    rate[0] = rate[1] = rate[2] = 0
    for k in range(b.n_cities):
        if b.city[k] == hex_:
            continue
        this_rate = o.worth[k] / (b.way[hex_][k] + b.cube_cost[b.city[k]] * s.n_on[b.city[k]])
        if this_rate > rate[0]:
            rate[0], rate[1], rate[2] = this_rate, rate[0], rate[1]
        elif this_rate > rate[1]:
            rate[1], rate[2] = this_rate, rate[1]
        elif this_rate > rate[2]:
            rate[2] = this_rate
    return w.growth * (rate[0] + rate[1] + rate[2]) / 3

cdef inline float start_value(const Weights* w, const Outlook* o, float income, float growth, float money) noexcept nogil:
    return o.rounds * (income + w.lag * growth * min(money, w.spending * o.rounds))

cdef inline float price_of_cash(const Weights* w, const Outlook* o) noexcept nogil:
    return 1 + w.cash * (o.rounds - 1)

# --- the value of a share ---
cdef struct Appraisal:          # of the next share of a company, for each player
    float value[MAX_SEATS]      # the most he should pay
    float future                # of the company, with the price in its treasury
    float shares                # among so many
    float alone[MAX_SEATS]      # the most he should pay when nobody else wants it
    float budget                # what there is to spend on a share of the preparation round

cdef float budget_of(const State* s, const Weights* w) noexcept nogil:
    """In the preparation round everybody needs money for what comes later: the money at the table for each share."""
    cdef int company, player, total = 0, waiting = 1
    for company in range(N_COMPANIES):
        waiting += (s.waiting_bits >> company) & 1
    for player in range(s.n_players):
        total += s.cash[player]
    return w.eager * total / (waiting + w.reserve)

cdef void appraise(const Map* b, const State* s, const Weights* w, const Outlook* o, const Auction* a, Appraisal* out) noexcept nogil:
    """A share's slice of what the company will pay out, what a rival would have of it, and the right to build. Who is
    alone in wanting it pays no more than it adds to what he holds already."""
    cdef int company = a.company, least = least_bid(a)
    cdef float price = min(o.future[company] / (s.sold[company] + 1), 40)
    cdef float slice_, held, dear = price_of_cash(w, o)
    cdef int player, rival, wanting
    out.future = future_of(s, w, o, company, <float>0.5 * price)
    out.shares = shares_to_be(s, w, o.rounds, company, s.sold[company] + 1, s.unsold[company] - 1)
    out.budget = budget_of(s, w) if s.column == 0 else MAX_CASH
    slice_ = out.future / out.shares
    for player in range(s.n_players):
        held = s.shares[player][company]
        out.value[player] = slice_ * (1 + w.denial) / dear
        if held == 0:
            out.value[player] += w.control * o.rounds / dear
        out.value[player] = min(out.value[player], out.budget)
        out.alone[player] = ((held + 1) * slice_ - held * o.future[company] / o.shares[company]) / dear
    for player in range(s.n_players):
        wanting = 0
        for rival in range(s.n_players):
            if rival != player and (a.in_bits >> rival) & 1 and s.cash[rival] >= least and out.value[rival] >= least:
                wanting += 1
        if wanting == 0:
            out.value[player] = min(out.value[player], out.alone[player])

cdef int predict(const State* s, const Auction* a, const float* value, int* price) noexcept nogil:
    """Who will win the auction, and at which price: just above what the second would pay. NOBODY: it stays unsold."""
    cdef float limit, best = -1, second = -1
    cdef int player, winner = NOBODY, least = least_bid(a)
    for player in range(s.n_players):
        if not (a.in_bits >> player) & 1:
            continue
        limit = min(value[player], <float>s.cash[player])
        if player == a.bidder:
            limit = max(limit, <float>a.bid)
        elif limit < least:
            continue
        if limit > best:
            second = best
            best = limit
            winner = player
        elif limit > second:
            second = limit
    price[0] = a.bid if winner == a.bidder else least
    if second >= price[0]:
        price[0] = min(<int>second + 1, <int>best)
    return winner

# --- evaluate ---
cdef void evaluate(const void* board, const void* state, const float* weight, float* value) noexcept nogil:
    """The cash each player may expect at the end."""
    cdef const Map* b = <const Map*>board
    cdef const State* s = <const State*>state
    cdef const Weights* w = <const Weights*>weight
    cdef Outlook o
    cdef int player, company
    if s.decision == GAME_OVER:
        for player in range(s.n_players):
            value[player] = s.cash[player]
        return
    look_ahead(b, s, w, &o)
    for player in range(s.n_players):
        value[player] = s.cash[player] * price_of_cash(w, &o)
        for company in range(N_COMPANIES):
            value[player] += s.shares[player][company] * o.future[company] / o.shares[company]
        if s.column > 0 and space_of(s, player) == NOBODY:
            value[player] += w.turn
    if s.decision == BIDDING:
        foresee_sale(b, s, w, &o, value)

cdef void foresee_sale(const Map* b, const State* s, const Weights* w, const Outlook* o, float* value) noexcept nogil:
    """Adds to the values what the running auction will change."""
    cdef Appraisal look
    cdef int price = 0, winner
    appraise(b, s, w, o, &s.auction, &look)
    winner = predict(s, &s.auction, look.value, &price)
    if winner != NOBODY:
        add_sale(s, w, o, s.auction.company, winner, price, value)

cdef void add_sale(const State* s, const Weights* w, const Outlook* o, int company, int winner, int price, float* value) noexcept nogil:
    cdef float slice_ = (future_of(s, w, o, company, price)
                         / shares_to_be(s, w, o.rounds, company, s.sold[company] + 1, s.unsold[company] - 1))
    cdef int player
    for player in range(s.n_players):
        value[player] += s.shares[player][company] * (slice_ - o.future[company] / o.shares[company])
    value[winner] += slice_ - price * price_of_cash(w, o)

# --- gains: what each kind of action is worth to the player on turn ---
cdef enum:
    MAX_PLAN = 4                # AR-50: cubes of the largest Expand

cdef struct Plan:               # what an Expand would bring, made once for a decision
    bint is_made
    float gain[MAX_PLAN + 1]    # by the number of cubes

cdef inline float over_rivals(const State* s, const Weights* w, int player, const float* gain) noexcept nogil:
    """A player's gain, less what the others gain in the mean."""
    cdef float others = 0
    cdef int rival
    for rival in range(s.n_players):
        if rival != player:
            others += gain[rival]
    return gain[player] - w.rivals * others / (s.n_players - 1)

cdef inline float stake(const State* s, const Weights* w, int player, int company) noexcept nogil:
    """What a dollar more for the company's shareholders is worth to the player."""
    cdef float part
    if s.sold[company] == 0:
        return 0
    part = <float>s.shares[player][company] / s.sold[company]
    return part - w.rivals * (1 - part) / (s.n_players - 1)

cdef float offer_gain(const Map* b, const State* s, const Weights* w, const Outlook* o, int company) noexcept nogil:
    """AR-41: what the sale that would follow means for the player on turn."""
    cdef float gain[MAX_SEATS]
    cdef Appraisal look
    cdef Auction a
    cdef int price = 0, winner
    open_auction(&a, company, s.turn, b.min_bid, s.n_players)
    appraise(b, s, w, o, &a, &look)
    winner = predict(s, &a, look.value, &price)
    if winner == NOBODY:
        return 0
    memset(gain, 0, sizeof(gain))
    add_sale(s, w, o, company, winner, price, gain)
    return over_rivals(s, w, s.turn, gain)

cdef inline float pull(const Weights* w, float worth, int dollars) noexcept nogil:
    """What a city so far away is worth, while it is not reached."""
    return worth * w.reach / (w.reach + dollars)

cdef float place_gain(const Map* b, const State* s, const Weights* w, const Outlook* o, const Prospect* p, int company,
                      int hex_) noexcept nogil:
    """What a cube there is worth to the player on turn: its income, the way to more, less what the dollars could do elsewhere."""
    cdef float nearer, best = 0, income = 0, gain = 0
    cdef int i, k, other, loss
    for i in range(p.n_targets):
        k = p.target[i]
        if b.way[hex_][k] < p.near[k] and b.city[k] != hex_:
            nearer = pull(w, p.worth[i], b.way[hex_][k]) - pull(w, p.worth[i], p.near[k])
            best = max(best, nearer)
    if has_hex(&b.cities, hex_):
        income = city_value(b, s, hex_, s.n_on[hex_] + 1) + link_gain(b, s, company, hex_)
        if s.n_on[hex_] == 1:                   # AR-53
            loss = city_value(b, s, hex_, 1) - city_value(b, s, hex_, 2)
            for other in range(N_COMPANIES):
                if has_hex(&s.track[other], hex_):
                    gain -= o.rounds * loss * stake(s, w, s.turn, other)
    return gain + stake(s, w, s.turn, company) * (
        o.rounds * (income + w.approach * best) - price_of_treasury(s, w, o, company) * p.growth * placing_cost(b, s, hex_))

cdef inline float price_of_treasury(const State* s, const Weights* w, const Outlook* o, int company) noexcept nogil:
    """What a dollar of income for each dollar of the treasury would still pay: nothing for money that cannot be spent any more."""
    cdef float later = w.spending * (o.rounds - 1)
    return w.cost * w.lag * o.rounds * min(later / (s.treasury[company] + 1), 1)

cdef float best_place(const Map* b, const State* s, const Weights* w, const Outlook* o, const Prospect* prospect, int* company,
                      int* hex_) noexcept nogil:
    """The best cube that the player on turn could place now; its gain, 0 when there is none worth it."""
    cdef int hexes[MAX_HEXES]
    cdef float gain, best = 0
    cdef int c, i, n
    for c in range(N_COMPANIES):
        if may_place(b, s, s.turn, c):
            n = list_placements(b, s, c, hexes)
            for i in range(n):
                gain = place_gain(b, s, w, o, &prospect[c], c, hexes[i])
                if gain > best:
                    best, company[0], hex_[0] = gain, c, hexes[i]
    return best

cdef void make_plan(const Map* b, const State* s, const Weights* w, const Outlook* o, Plan* plan) noexcept nogil:
    """Places the best cube, and the best after it, on a copy."""
    cdef State after
    cdef Prospect prospect[N_COMPANIES]
    cdef float gain
    cdef int i, k, company = 0, hex_ = 0
    plan.is_made = True
    for i in range(MAX_PLAN + 1):
        plan.gain[i] = 0
    if not can_expand(b, s, s.turn):
        return
    memcpy(&after, s, sizeof(State))
    memcpy(prospect, o.prospect, sizeof(prospect))
    for i in range(1, MAX_PLAN + 1):
        gain = best_place(b, &after, w, o, prospect, &company, &hex_)
        for k in range(i, MAX_PLAN + 1):
            plan.gain[k] += gain
        if gain <= 0:
            return
        after.treasury[company] -= placing_cost(b, &after, hex_)
        arrive(b, &after, company, hex_)
        for k in range(MAX_CITIES):
            prospect[company].near[k] = min(prospect[company].near[k], b.way[hex_][k])
        pick_targets(b, &after, w, o.worth, company, &prospect[company])

cdef inline float expand_gain(const Map* b, const State* s, const Weights* w, const Outlook* o, Plan* plan, int space) noexcept nogil:
    if not plan.is_made:
        make_plan(b, s, w, o, plan)
    return plan.gain[min(b.expand[space], MAX_PLAN)]

cdef float develop_gain(const Map* b, const State* s, const Weights* w, const Outlook* o, int hex_) noexcept nogil:
    """AR-35: what every company there gains, by the player's stake in it."""
    cdef float total = 0
    cdef int company, more = b.full_bonus if s.n_on[hex_] == 1 else b.shared_bonus
    for company in range(N_COMPANIES):
        if has_hex(&s.track[company], hex_):
            total += o.rounds * more * stake(s, w, s.turn, company)
    return total

cdef float fund_gain(const Map* b, const State* s, const Weights* w, const Outlook* o, int company) noexcept nogil:
    return (future_of(s, w, o, company, b.fund_amount) - o.future[company]) * stake(s, w, s.turn, company)

cdef float space_gain(const Map* b, const State* s, const Weights* w, const Outlook* o, Plan* plan, int space) noexcept nogil:
    """The best that the space allows, and its place on the track."""
    cdef float best = 0
    cdef int i, n
    cdef Hexes found
    cdef int hexes[MAX_HEXES]
    if space == ON_DEVELOP:
        find_developments(b, s, &found)
        n = list_hexes(&found, hexes)
        for i in range(n):
            best = max(best, develop_gain(b, s, w, o, hexes[i]))
    elif space == ON_FUND:
        for i in range(N_COMPANIES):
            if i != s.removed:
                best = max(best, fund_gain(b, s, w, o, i))
    elif space == ON_TAKE:
        best = max(take_gain(b, s, w, o), levy_gain(b, s, w, o))
        if b.may_expand[s.n_players]:
            best = max(best, expand_gain(b, s, w, o, plan, space))
    elif space == ON_AUCTION:
        for i in range(N_COMPANIES):
            if s.unsold[i] > 0:
                best = max(best, offer_gain(b, s, w, o, i))
    elif space != ON_PASS:
        best = expand_gain(b, s, w, o, plan, space)
    return best + w.tempo * (N_SPACES - 1 - space)

cdef inline float take_gain(const Map* b, const State* s, const Weights* w, const Outlook* o) noexcept nogil:
    return b.take_amount * price_of_cash(w, o)

cdef inline float levy_gain(const Map* b, const State* s, const Weights* w, const Outlook* o) noexcept nogil:
    """AR-39: what the others lose."""
    cdef float lost = 0
    cdef int player
    for player in range(s.n_players):
        if player != s.turn:
            lost += min(b.take_amount, s.cash[player])
    return w.rivals * lost / (s.n_players - 1) * price_of_cash(w, o)

cdef float start_gain(const Map* b, const State* s, const Weights* w, const Outlook* o, int hex_) noexcept nogil:
    """AR-21: the first cube, by the income there and what can be reached from there."""
    return start_value(w, o, b.full[hex_], start_growth(b, s, w, o, hex_), s.treasury[s.starting])

cdef float move_gain(const Map* b, const State* s, const Weights* w, const Outlook* o, Plan* plan, Move move) noexcept nogil:
    """What a move of the player on turn is worth to him, in dollars at the end."""
    cdef int kind = move_kind(move), company = move_a(move)
    if kind == DO_CHOOSE:
        return space_gain(b, s, w, o, plan, move_a(move))
    if kind == DO_PLACE:
        return place_gain(b, s, w, o, &o.prospect[company], company, move_b(move))
    if kind == DO_OFFER:
        return offer_gain(b, s, w, o, company)
    if kind == DO_START:
        return start_gain(b, s, w, o, move_a(move))
    if kind == DO_DEVELOP:
        return develop_gain(b, s, w, o, move_a(move))
    if kind == DO_FUND:
        return fund_gain(b, s, w, o, company)
    if kind == DO_TAKE:
        return take_gain(b, s, w, o)
    if kind == DO_LEVY:
        return levy_gain(b, s, w, o)
    if kind == DO_EXPAND:
        return expand_gain(b, s, w, o, plan, ON_TAKE)
    return 0

# --- candidates ---
cdef enum:
    MOST_PLACES = 10            # cubes, starts and developments that a search looks at

cdef int candidates(const void* board, const void* state, const float* weight, Move* out) noexcept nogil:
    """Every legal move, but a handful of bids and the most promising hexes only."""
    cdef const Map* b = <const Map*>board
    cdef const State* s = <const State*>state
    cdef const Weights* w = <const Weights*>weight
    cdef Outlook o
    if s.decision == BIDDING:
        return candidate_bids(b, s, w, out)
    cdef int n = legal(board, state, out)
    if n > MOST_PLACES and (s.decision == EXPANDING or s.decision == STARTING or s.decision == DEVELOPING):
        look_ahead(b, s, w, &o)
        return keep_best(b, s, w, &o, out, n)
    return n

cdef int keep_best(const Map* b, const State* s, const Weights* w, const Outlook* o, Move* move, int n) noexcept nogil:
    """The moves with the largest gains, in their old order, and the last one where it is to stop or to decline."""
    cdef float gain[N_COMPANIES * MAX_HEXES + 1]
    cdef Plan plan
    cdef int i, k, kept = 0, rank
    plan.is_made = False
    for i in range(n):
        gain[i] = move_gain(b, s, w, o, &plan, move[i])
    for i in range(n):
        rank = 0
        for k in range(n):
            rank += gain[k] > gain[i] or (gain[k] == gain[i] and k < i)
        if rank < MOST_PLACES or (i == n - 1 and s.decision != STARTING):
            move[kept] = move[i]
            kept += 1
    return kept

cdef int candidate_bids(const Map* b, const State* s, const Weights* w, Move* out) noexcept nogil:
    """Pass, the least bid, one more, just above what each rival would pay, and the most one should pay oneself."""
    cdef Outlook o
    cdef Appraisal look
    cdef int amount[MAX_SEATS + 2]
    cdef int me = s.auction.speaker, least = least_bid(&s.auction), player, i, k, n = 2, found = 0
    look_ahead(b, s, w, &o)
    appraise(b, s, w, &o, &s.auction, &look)
    amount[0] = least
    amount[1] = least + 1
    for player in range(s.n_players):
        if (s.auction.in_bits >> player) & 1:
            amount[n] = <int>min(look.value[player], <float>s.cash[player]) + (player != me)
            n += 1
    for i in range(n):
        if least <= amount[i] <= s.cash[me]:
            for k in range(found):
                if move_amount(out[k]) == amount[i]:
                    break
            else:
                out[found] = pack_amount(DO_BID, amount[i])
                found += 1
    out[found] = pack(DO_PASS, 0, 0)
    return found + 1

# --- priors ---
cdef void priors(const void* board, const void* state, const Move* move, int n, const float* weight, float* p) noexcept nogil:
    """The larger the gain, the likelier the move."""
    cdef const Map* b = <const Map*>board
    cdef const State* s = <const State*>state
    cdef const Weights* w = <const Weights*>weight
    cdef Outlook o
    cdef Plan plan
    cdef float most = -1e30
    cdef int i
    look_ahead(b, s, w, &o)
    if s.decision == BIDDING:
        bid_priors(b, s, w, &o, move, n, p)
        return
    plan.is_made = False
    for i in range(n):
        p[i] = move_gain(b, s, w, &o, &plan, move[i])
        most = max(most, p[i])
    for i in range(n):
        p[i] = expf(max((p[i] - most) / w.sharpness, <float>-12))

cdef void bid_priors(const Map* b, const State* s, const Weights* w, const Outlook* o, const Move* move, int n, float* p) noexcept nogil:
    """As little as wins, never above the value."""
    cdef Appraisal look
    cdef int me = s.auction.speaker, least = least_bid(&s.auction), i
    cdef float worth, spare
    appraise(b, s, w, o, &s.auction, &look)
    worth = look.value[me]
    for i in range(n):
        if move_kind(move[i]) == DO_PASS:
            p[i] = expf(min(max((least - worth) / w.sharpness, <float>-4), <float>4))
        else:
            spare = worth - move_amount(move[i])
            p[i] = expf(max(-(move_amount(move[i]) - least) / w.sharpness, <float>-4))
            if spare < 0:
                p[i] *= expf(max(2 * spare / w.sharpness, <float>-8))

# --- advance: the next turn of a playout ---
cdef void advance(const void* board, void* state, const float* weight, Rng* rng) noexcept nogil:
    """Plays the running decision and all that belongs to it: to the end of the turn, an auction in one step."""
    cdef const Map* b = <const Map*>board
    cdef State* s = <State*>state
    cdef const Weights* w = <const Weights*>weight
    cdef Outlook o
    look_ahead(b, s, w, &o)
    if s.decision == CHOOSING:
        choose(b, s, sampled_space(b, s, w, &o, rng))
        if s.decision == CHOOSING or s.decision == GAME_OVER:
            return                              # the space was the whole turn
    if s.decision == EXPANDING:
        expand_sampled(b, s, w, &o, rng)
    elif s.decision != BIDDING and s.decision != STARTING:
        apply(board, state, sampled_action(b, s, w, &o, rng))
        if s.decision == EXPANDING:             # AR-40
            expand_sampled(b, s, w, &o, rng)
    if s.decision == BIDDING:
        settle_sale(b, s, w, &o, rng)
    if s.decision == STARTING:
        apply(board, state, sampled_action(b, s, w, &o, rng))

cdef int sampled_space(const Map* b, const State* s, const Weights* w, const Outlook* o, Rng* rng) noexcept nogil:
    """The kind of action first: any at random, or by what it is worth."""
    cdef Move space[N_SPACES]
    cdef float p[N_SPACES]
    cdef Plan plan
    cdef float total = 0, most = -1e30, pick
    cdef int i, n = legal_spaces(s, space)
    if random.uniform(rng) < w.random:
        return move_a(space[random.below(rng, n)])
    plan.is_made = False
    for i in range(n):
        p[i] = space_gain(b, s, w, o, &plan, move_a(space[i]))
        most = max(most, p[i])
    for i in range(n):
        p[i] = expf(max((p[i] - most) / w.sharpness, <float>-12))
        total += p[i]
    pick = random.uniform(rng) * total
    for i in range(n):
        pick -= p[i]
        if pick < 0:
            return move_a(space[i])
    return move_a(space[n - 1])

cdef Move sampled_action(const Map* b, const State* s, const Weights* w, const Outlook* o, Rng* rng) noexcept nogil:
    """The best move of the decision, or now and then any."""
    cdef Move move[MAX_HEXES + 1]
    cdef Plan plan
    cdef float gain, best_gain = -1e30
    cdef int i, best = 0, n = legal(b, s, move)
    if random.uniform(rng) < w.random:
        return move[random.below(rng, n)]
    plan.is_made = False
    for i in range(n):
        gain = move_gain(b, s, w, o, &plan, move[i])
        if gain > best_gain:
            best, best_gain = i, gain
    return move[best]

cdef void expand_sampled(const Map* b, State* s, const Weights* w, Outlook* o, Rng* rng) noexcept nogil:
    """A whole Expand: the best cube each time, now and then any; it stops when none is worth it."""
    cdef Move move[N_COMPANIES * MAX_HEXES + 1]
    cdef int company = 0, hex_ = 0, k, n, player = s.turn
    while s.decision == EXPANDING and s.turn == player:
        if random.uniform(rng) < w.random:
            n = legal_cubes(b, s, move)
            k = random.below(rng, n - 1) if n > 1 else 0
            company, hex_ = move_a(move[k]), move_b(move[k])
        elif best_place(b, s, w, o, o.prospect, &company, &hex_) <= 0:
            end_turn(b, s)
            return
        place(b, s, company, hex_)
        for k in range(MAX_CITIES):
            o.prospect[company].near[k] = min(o.prospect[company].near[k], b.way[hex_][k])
        pick_targets(b, s, w, o.worth, company, &o.prospect[company])

cdef void settle_sale(const Map* b, State* s, const Weights* w, const Outlook* o, Rng* rng) noexcept nogil:
    """The whole auction in one step, at the predicted price; everybody errs a little about the value."""
    cdef Appraisal look
    cdef int player, price = 0
    appraise(b, s, w, o, &s.auction, &look)
    for player in range(s.n_players):
        look.value[player] *= 1 + w.noise * (2 * random.uniform(rng) - 1)
    s.auction.bidder = predict(s, &s.auction, look.value, &price)
    s.auction.bid = price if s.auction.bidder != NOBODY else 0
    if s.auction.bidder == NOBODY:              # AR-24: the last to pass is the one before the opener
        s.auction.speaker = s.auction.opener - 1 if s.auction.opener > 0 else s.n_players - 1
    end_auction(b, s)
