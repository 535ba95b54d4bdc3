# Chicago Express: what a player thinks of a position. Nothing here is a rule; the figures are the weights of the game.

cdef struct Outlook:            # what all judgements rest on, worked out once for a position
    float rounds                # general dividends still to come
    float future[N_COMPANIES]   # dollars that the company will pay out, to all shares together
    float shares[N_COMPANIES]   # among how many shares they will be divided
    float minimum[N_COMPANIES]  # of an auction of its next share

# --- how long, how much ---
cdef float rounds_left(const Map* b, const State* s, const Weights* w) noexcept nogil:
    """The general dividends still to come: the end condition that comes first decides, the running round counts as it stands."""
    cdef float shares[N_COMPANIES]
    cdef float locomotives[N_COMPANIES]
    cdef float further, done = 0
    cdef int company, dial, steps = 0
    if is_at_end(b, s):
        return 1
    for company in range(N_COMPANIES):
        shares[company] = b.shares[company] - s.sold[company]
        locomotives[company] = s.locomotives[company]
        if company == b.late and not s.founded:
            shares[company] += w.shares_a_round            # at least a round away
    further = sum_of_least(shares, b.end_shares) / w.shares_a_round
    further = min(further, sum_of_least(locomotives, b.end_locomotives) / w.locomotives_a_round)
    further = min(further, (s.houses - b.end_houses) / w.houses_a_round)
    further = min(further, <float>(b.end_detroit - s.industry[b.detroit]))
    for dial in range(N_DIALS):
        done += s.dial[dial]
        steps += b.dial_steps[dial]
    return min(1 + max(further - 1 + done / (steps - 2), 0), w.most_rounds)

cdef float sum_of_least(float* figure, int n) noexcept nogil:
    """The sum of the `n` least of the companies' figures, which come to stand in front."""
    cdef float total = 0, less
    cdef int i, k
    for i in range(n):
        for k in range(i + 1, N_COMPANIES):     # without a branch: which is less cannot be foretold
            less = min(figure[i], figure[k])
            figure[k] = max(figure[i], figure[k])
            figure[i] = less
        total += figure[i]
    return total

cdef float future_of(const Map* b, const State* s, const Weights* w, float rounds, int company, float extra) noexcept nogil:
    """What the company will pay out in all, with `extra` dollars more in its treasury."""
    cdef float treasury = s.treasury[company] + extra
    cdef float lasting = w.lag * rounds
    cdef float total, reach, sure
    if company == b.late and not s.founded:
        return 0
    total = rounds * s.income[company] + lasting * (w.growth * min(treasury, w.spending * rounds) + w.development * rounds)
    if 0 < s.near[company] <= s.locomotives[company]:
        reach = w.chicago_reach * rounds / s.near[company]
        sure = min(reach, 1) * min(treasury / (w.chicago_cost * s.near[company]), 1)
        total += sure * sure * (b.income[b.chicago] * (1 + max(rounds - s.near[company] / w.chicago_reach, 0)) + s.income[company])
    return total

cdef inline float shares_to_be(const Map* b, const State* s, const Weights* w, float rounds, int company, int sold) noexcept nogil:
    """Among how many shares the dividends will be divided in the mean."""
    return max(sold + w.dilution * (b.shares[company] - sold) * min(rounds - 1, 1), 1)

cdef void look_ahead(const Map* b, const State* s, const Weights* w, Outlook* o) noexcept nogil:
    cdef int company
    o.rounds = rounds_left(b, s, w)
    for company in range(N_COMPANIES):
        o.future[company] = future_of(b, s, w, o.rounds, company, 0)
        o.shares[company] = shares_to_be(b, s, w, o.rounds, company, s.sold[company])
        o.minimum[company] = dividend_per_share(s.income[company], s.sold[company] + 1)

cdef inline float price_of_cash(const Weights* w, const Outlook* o) noexcept nogil:
    return 1 + w.cash * (o.rounds - 1)

cdef inline float worth_of_cash(const Weights* w, const Outlook* o, float cash) noexcept nogil:
    """Cash buys shares below their value while there are rounds to come, and the first dollars decide who can bid at all."""
    return cash * price_of_cash(w, o) + w.liquid * (o.rounds - 1) * min(cash, w.purse)

# --- the value of a share ---
cdef struct Appraisal:          # of the next share of a company, for each player
    float value[MAX_PLAYERS]    # the most he should pay
    float future                # of the company, with the price in its treasury
    float shares                # among so many
    float alone[MAX_PLAYERS]    # the most he should pay when nobody else wants it

cdef void appraise(const Map* b, const State* s, const Weights* w, const Outlook* o, int company, int in_bits, int least,
                   Appraisal* out) noexcept nogil:
    """A share's slice of what the company will pay out, and what a rival would have of it. Who is alone in wanting
    it pays no more than it adds to what he holds already."""
    cdef float price = min(o.future[company] / (s.sold[company] + 1), 60)
    cdef float slice_, held
    cdef int player, rival, wanting
    out.future = future_of(b, s, w, o.rounds, company, <float>0.8 * price)
    out.shares = shares_to_be(b, s, w, o.rounds, company, s.sold[company] + 1)
    slice_ = out.future / out.shares
    for player in range(s.n_players):
        out.value[player] = slice_ * (1 + w.denial) / price_of_cash(w, o)
        held = s.shares[player][company]
        out.alone[player] = ((held + 1) * slice_ - held * o.future[company] / o.shares[company]) / price_of_cash(w, o)
    for player in range(s.n_players):
        wanting = 0
        for rival in range(s.n_players):
            if rival != player and (in_bits >> rival) & 1 and s.cash[rival] >= least and out.value[rival] >= least:
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
        value[player] = worth_of_cash(w, &o, s.cash[player])
        for company in range(N_COMPANIES):
            value[player] += s.shares[player][company] * o.future[company] / o.shares[company]
        if s.to_chicago:                    # CE-60: its dividend comes when the building is done
            value[player] += s.shares[player][s.building] * dividend_per_share(s.income[s.building], s.sold[s.building])
    if s.decision == BIDDING:
        foresee_sale(b, s, w, &o, value)

cdef void foresee_sale(const Map* b, const State* s, const Weights* w, const Outlook* o, float* value) noexcept nogil:
    """Adds to the values what the running auction will change."""
    cdef Appraisal look
    cdef int player, price = 0, winner, company = s.auction.company
    appraise(b, s, w, o, company, s.auction.in_bits, least_bid(&s.auction), &look)
    winner = predict(s, &s.auction, look.value, &price)
    if winner == NOBODY:
        if s.purpose != OPENING:
            return
        winner, price = s.auction.opener, 0     # CE-15
    add_sale(b, s, w, o, company, winner, price, value)

cdef void add_sale(const Map* b, const State* s, const Weights* w, const Outlook* o, int company, int winner, int price,
                   float* value) noexcept nogil:
    cdef float slice_ = (future_of(b, s, w, o.rounds, company, price)
                         / shares_to_be(b, s, w, o.rounds, company, s.sold[company] + 1))
    cdef int player
    for player in range(s.n_players):
        value[player] += s.shares[player][company] * (slice_ - o.future[company] / o.shares[company])
    value[winner] += slice_ - worth_of_cash(w, o, s.cash[winner]) + worth_of_cash(w, o, s.cash[winner] - price)

# --- gains: what each kind of action is worth to the player on turn ---
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
    """CE-40: what the sale that would follow means for the player on turn."""
    cdef float gain[MAX_PLAYERS]
    cdef Appraisal look
    cdef Auction a
    cdef int price = 0, winner
    open_auction(&a, company, s.turn, <int>o.minimum[company], s.n_players)
    appraise(b, s, w, o, company, a.in_bits, a.minimum, &look)
    winner = predict(s, &a, look.value, &price)
    if winner == NOBODY:
        return 0
    memset(gain, 0, sizeof(gain))
    add_sale(b, s, w, o, company, winner, price, gain)
    return over_rivals(s, w, s.turn, gain)

cdef inline float place_gain(const Map* b, const State* s, const Weights* w, const Outlook* o, int company, int hex_) noexcept nogil:
    """What a locomotive there is worth to the company's shareholders together."""
    cdef int value = hex_value(b, s, hex_)
    cdef float gain = o.rounds * value - w.cost * placing_cost(b, s, hex_) + w.promise * b.promise[hex_]
    if b.distance[hex_] < s.near[company]:
        gain += w.progress * (s.near[company] - b.distance[hex_])
    if hex_ == b.chicago:
        gain += s.income[company] + value       # CE-81
    return gain

cdef float build_gain(const Map* b, const State* s, const Weights* w, const Outlook* o, int company) noexcept nogil:
    """The best placements of one action, as if they did not hinder each other."""
    cdef int hexes[MAX_HEXES]
    cdef float best[MAX_BUILD]
    cdef float gain, total = 0
    cdef int i, k, n = list_placements(b, s, company, hexes)
    for k in range(MAX_BUILD):
        best[k] = 0
    for i in range(n):
        gain = place_gain(b, s, w, o, company, hexes[i])
        for k in range(MAX_BUILD):
            if gain > best[k]:
                gain, best[k] = best[k], gain
    for k in range(MAX_BUILD):
        total += best[k]
    return total * stake(s, w, s.turn, company)

cdef float develop_gain(const Map* b, const State* s, const Weights* w, const Outlook* o, int hex_) noexcept nogil:
    """CE-71 to CE-75: what every company there gains, by the player's stake in it."""
    cdef int i = b.industry[hex_], company
    cdef float more, total = 0
    if i != NO_HEX:
        more = o.rounds * (b.industry_value[i][s.industry[i] + 1] - b.industry_value[i][s.industry[i]])
    elif b.terrain[hex_] == FOREST:
        more = b.forest_cash * w.growth * w.lag * o.rounds
    else:
        more = o.rounds * b.development[hex_]
    for company in range(N_COMPANIES):
        if has_hex(&s.track[company], hex_):
            total += more * stake(s, w, s.turn, company)
    return total

cdef float move_gain(const Map* b, const State* s, const Weights* w, const Outlook* o, Move move) noexcept nogil:
    """What a move of the player on turn is worth to him, in dollars at the end; a dial by the best that it allows."""
    cdef Move follow[MAX_HEXES + 1]
    cdef float best = 0
    cdef int kind = move_kind(move), n
    if kind == DO_OFFER:
        return offer_gain(b, s, w, o, move_a(move))
    if kind == DO_COMPANY:
        return build_gain(b, s, w, o, move_a(move))
    if kind == DO_PLACE:
        return place_gain(b, s, w, o, move_a(move), move_b(move)) * stake(s, w, s.turn, move_a(move))
    if kind == DO_DEVELOP:
        return develop_gain(b, s, w, o, move_a(move))
    if kind == DO_DIAL:
        n = list_actions(b, s, move_a(move), follow)
        best_of(b, s, w, o, follow, n, &best)
    return best

cdef Move best_of(const Map* b, const State* s, const Weights* w, const Outlook* o, const Move* move, int n, float* gain) noexcept nogil:
    """The first of the moves with the largest gain, and that gain."""
    cdef float value
    cdef int i, best = 0
    gain[0] = -1e30
    for i in range(n):
        value = move_gain(b, s, w, o, move[i])
        if value > gain[0]:
            best, gain[0] = i, value
    return move[best]

cdef int list_actions(const Map* b, const State* s, int dial, Move* out) noexcept nogil:
    """What the player could do behind a dial; the last one is always to let it lapse."""
    if dial == AUCTION:
        return legal_offers(b, s, out)
    if dial == BUILD:
        return legal_companies(b, s, out)
    return legal_developments(b, s, out)

# --- candidates ---
cdef enum:
    MOST_PLACES = 10            # placements and developments that a search looks at
    BID_STEPS = 4               # from the least bid to the value

cdef int candidates(const void* board, const void* state, const float* weight, Move* out) noexcept nogil:
    """Every legal move, but a handful of bids and the most promising hexes only."""
    cdef const Map* b = <const Map*>board
    cdef const State* s = <const State*>state
    cdef const Weights* w = <const Weights*>weight
    cdef Outlook o
    if s.decision == BIDDING:
        return candidate_bids(b, s, w, out)
    cdef int n = legal(board, state, out)
    if n > MOST_PLACES and (s.decision == PLACING or s.decision == DEVELOPING):
        look_ahead(b, s, w, &o)
        return keep_best(b, s, w, &o, out, n)
    return n

cdef int keep_best(const Map* b, const State* s, const Weights* w, const Outlook* o, Move* move, int n) noexcept nogil:
    """The moves with the largest gains, in their old order, and the last one, which is to stop or to decline."""
    cdef float gain[MAX_HEXES + 1]
    cdef float least
    cdef int i, k, kept = 0, rank
    for i in range(n):
        gain[i] = move_gain(b, s, w, o, move[i])
    for i in range(n):
        rank = 0
        for k in range(n):
            rank += gain[k] > gain[i] or (gain[k] == gain[i] and k < i)
        if rank < MOST_PLACES or (i == n - 1 and move_kind(move[i]) != DO_PLACE):
            move[kept] = move[i]
            kept += 1
    return kept

cdef int candidate_bids(const Map* b, const State* s, const Weights* w, Move* out) noexcept nogil:
    """Pass, the least bid, just above what each rival would pay, the most one should pay oneself, and steps up to it."""
    cdef Outlook o
    cdef Appraisal look
    cdef int amount[MAX_PLAYERS + BID_STEPS]
    cdef int me = s.auction.speaker, least = least_bid(&s.auction), player, i, k, n = 0, found = 0
    if s.cash[me] >= least:
        look_ahead(b, s, w, &o)
        appraise(b, s, w, &o, s.auction.company, s.auction.in_bits, least, &look)
        for i in range(BID_STEPS):
            amount[n] = least + <int>(i * (min(look.value[me], <float>s.cash[me]) - least) / BID_STEPS)
            n += 1
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
    cdef float most = -1e30
    cdef int i
    look_ahead(b, s, w, &o)
    if s.decision == BIDDING:
        bid_priors(b, s, w, &o, move, n, p)
        return
    for i in range(n):
        p[i] = move_gain(b, s, w, &o, move[i])
        most = max(most, p[i])
    for i in range(n):
        p[i] = expf(max((p[i] - most) / w.sharpness, <float>-12))

cdef void bid_priors(const Map* b, const State* s, const Weights* w, const Outlook* o, const Move* move, int n, float* p) noexcept nogil:
    """As little as wins, never above the value."""
    cdef Appraisal look
    cdef int me = s.auction.speaker, least = least_bid(&s.auction), i
    cdef float worth, spare
    appraise(b, s, w, o, s.auction.company, s.auction.in_bits, least, &look)
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
cdef enum:
    UNPLANNED = 0               # no move of a turn has this number

cdef void advance(const void* board, void* state, const float* weight, Rng* rng) noexcept nogil:
    """Plays the running decision and all that belongs to it: to the end of the auction, or of the turn."""
    cdef const Map* b = <const Map*>board
    cdef State* s = <State*>state
    cdef const Weights* w = <const Weights*>weight
    cdef Outlook o
    cdef Move planned = UNPLANNED
    look_ahead(b, s, w, &o)
    if s.decision == CHOOSING_DIAL:
        turn_dial(s, sampled_dial(b, s, w, &o, rng, &planned))
    if s.decision == OFFERING or s.decision == CHOOSING_COMPANY or s.decision == DEVELOPING:
        apply(board, state, sampled_action(b, s, w, &o, rng, planned))
    while s.decision == PLACING:
        apply(board, state, sampled_action(b, s, w, &o, rng, UNPLANNED))
    if s.decision == BIDDING:
        settle_sale(b, s, w, &o, rng)

cdef int sampled_dial(const Map* b, const State* s, const Weights* w, const Outlook* o, Rng* rng, Move* planned) noexcept nogil:
    """The kind of action first: one that is possible at random, or by what it is worth; then its best action is known too."""
    cdef Move dial[N_DIALS]
    cdef Move follow[MAX_HEXES + 1]
    cdef Move best[N_DIALS]
    cdef float p[N_DIALS]
    cdef float total = 0, most = -1e30, pick
    cdef int i, n = legal_dials(b, s, dial)
    if random.uniform(rng) < w.random:
        return move_a(dial[random.below(rng, n)])
    for i in range(n):
        best[i] = best_of(b, s, w, o, follow, list_actions(b, s, move_a(dial[i]), follow), &p[i])
        most = max(most, p[i])
    for i in range(n):
        p[i] = expf(max((p[i] - most) / w.sharpness, <float>-12))
        total += p[i]
    pick = random.uniform(rng) * total
    for i in range(n):
        pick -= p[i]
        if pick < 0 or i == n - 1:
            break
    planned[0] = best[i]
    return move_a(dial[i])

cdef Move sampled_action(const Map* b, const State* s, const Weights* w, const Outlook* o, Rng* rng, Move planned) noexcept nogil:
    """The best move of the decision, which may have been found before, or now and then any."""
    cdef Move move[MAX_HEXES + 1]
    cdef float gain
    cdef int n
    if random.uniform(rng) < w.random:
        n = legal(b, s, move)
        return move[random.below(rng, n)]
    if planned != UNPLANNED:
        return planned
    n = legal(b, s, move)
    return best_of(b, s, w, o, move, n, &gain)

cdef void settle_sale(const Map* b, State* s, const Weights* w, const Outlook* o, Rng* rng) noexcept nogil:
    """The whole auction in one step, at the predicted price; everybody errs a little about the value."""
    cdef Appraisal look
    cdef int player, price = 0
    appraise(b, s, w, o, s.auction.company, s.auction.in_bits, least_bid(&s.auction), &look)
    for player in range(s.n_players):
        look.value[player] *= 1 + w.noise * (2 * random.uniform(rng) - 1)
    s.auction.bidder = predict(s, &s.auction, look.value, &price)
    s.auction.bid = price if s.auction.bidder != NOBODY else 0
    end_auction(b, s)
