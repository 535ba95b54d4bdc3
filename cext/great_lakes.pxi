# The Great Lakes: what a player thinks of a position. Nothing here is a rule; the figures are the weights of the game.
# A player is judged by his own hand and tickets and by what is public: the judgement of a mover never looks further.

cdef enum:
    UNITS = 4                   # of effort in a turn
    NO_WAY = 255                # the effort of a route that cannot be had
    MOST_EFFORT = 160           # of a way between two cities
    MOST_TARGETS = 48

cdef struct Way:                # a ticket that is still open
    int ticket
    int effort                  # what it takes beside the tickets planned before it, or NO_WAY
    float chance                # that it will be completed

cdef struct Plan:               # how a player may complete his tickets
    Way way[MAX_TICKETS]
    int n_ways
    Routes routes               # to be claimed for them
    int effort                  # of all of them
    int need[N_DECKS]           # pieces
    uint8_t cost[MAX_ROUTES]    # the effort of each route, 0 for one's own and the planned ones
    uint8_t base[MAX_ROUTES]    # the same before planning
    float share[MAX_ROUTES]     # points of tickets that hang on the route

cdef struct Outlook:            # what the judgement of a player's moves rests on
    Plan plan
    int player
    bint is_careful             # also what takes long is looked into: not in playouts
    float turns                 # the player's turns still to come, this one included
    float spare                 # turns that the plan leaves over
    int pending                 # claims that the plan needs
    float worth[MAX_ROUTES]     # of claiming a route, cards apart; only of routes that are open
    float card[N_CARDS]         # of a card in the hand
    float blind[N_DECKS]        # of an unseen card
    float second                # of the second card of a turn that begins with a card
    float urge                  # how much cards still count, 0 in the last turn
    float ease                  # the same for a card by itself: the less, the more are at hand
    float named[MAX_NODES]      # expected completed tickets of a city

# --- how long ---
cdef inline int pieces_of(const Map* b, const State* s, int player, int kind) noexcept nogil:
    """The supply; before it is chosen, about half of it."""
    if s.decision < FIRST_TICKETS and s.first_row or s.decision in (DEALING_TICKETS, FIRST_TICKETS, FIRST_PIECES):
        return b.pieces[kind] - (b.pieces[TRAIN] + b.pieces[SHIP] - b.supply) / 2
    return s.supply[player][kind]

cdef float turns_to_come(const Map* b, const State* s, const Weights* w, int player) noexcept nogil:
    """The player's own turns until the end: counted when the end is near, else by the supply that runs out first."""
    cdef int other, pieces, least = 1000, first
    if s.turns_left != NOT_YET:
        first = player - s.seat if player >= s.seat else player - s.seat + s.n_players
        return s.turns_left / s.n_players + (first < s.turns_left % s.n_players)
    for other in range(s.n_players):
        pieces = pieces_of(b, s, other, TRAIN) + pieces_of(b, s, other, SHIP)
        least = pieces if pieces < least else least
    return (least - b.trigger) / w.pieces_a_turn + b.further_turns

# --- ways ---
cdef int find_way(const Map* b, const uint8_t* cost, int start_, int goal, int most, int8_t* via) noexcept nogil:
    """The least effort from one city to another, and the routes back from the goal; NO_WAY when it is above `most`."""
    cdef uint64_t bucket[MOST_EFFORT + 1]
    cdef uint8_t effort[MAX_NODES]
    cdef int d, node, other, route, i, further
    memset(bucket, 0, (most + 1) * sizeof(uint64_t))
    memset(effort, NO_WAY, sizeof(effort))
    bucket[0] = bit(start_)
    effort[start_] = 0
    for d in range(most + 1):
        while bucket[d]:
            node = lowest_bit(bucket[d])
            bucket[d] &= bucket[d] - 1
            if effort[node] != d:
                continue
            if node == goal:
                return d
            for i in range(b.n_adjacent[node]):
                route = b.adjacent[node][i]
                further = d + cost[route]
                other = b.end_a[route] + b.end_b[route] - node
                if further <= most and further < effort[other]:      # what cannot be had costs more than any way
                    effort[other] = further
                    via[other] = route
                    bucket[further] |= bit(other)
    return NO_WAY

cdef inline int effort_within(float turns, const Weights* w) noexcept nogil:
    """The effort for which there is time in so many turns."""
    return <int>min(max(turns * UNITS / w.toil, <float>0), <float>MOST_EFFORT)

cdef inline int route_effort(const Map* b, const int8_t* spaces, int route) noexcept nogil:
    """A turn for the claim and half a turn for each card that is missing, less something for the points it brings."""
    cdef int missing = b.length[route] - spaces[b.colour[route]], effort
    if missing < 0:
        missing = 0
    if b.kind[route] == SHIP:
        missing = (5 * missing + 6) >> 3                    # a ship card covers 1.6 spaces
    effort = UNITS + (UNITS >> 1) * missing - ((2 * b.route_points[<int>b.length[route]]) / 5)
    return effort if effort > 1 else 1

cdef void list_cover(const State* s, int player, int8_t* trains, int8_t* ships) noexcept nogil:
    """Spaces that the hand covers, by colour; the best of them for grey."""
    cdef int colour
    trains[GREY] = ships[GREY] = 0
    for colour in range(N_COLOURS):
        trains[colour] = cover(s.hand[player], TRAIN, colour)
        ships[colour] = cover(s.hand[player], SHIP, colour)
        trains[GREY] = trains[colour] if trains[colour] > trains[GREY] else trains[GREY]
        ships[GREY] = ships[colour] if ships[colour] > ships[GREY] else ships[GREY]

cdef void price_routes(const Map* b, const State* s, int player, uint8_t* cost) noexcept nogil:
    cdef int8_t spaces[N_DECKS][N_COLOURS + 1]
    cdef int word, route, kind
    cdef int pieces[N_DECKS]
    cdef uint64_t left
    list_cover(s, player, spaces[TRAIN], spaces[SHIP])
    memset(cost, NO_WAY, MAX_ROUTES)
    pieces[TRAIN], pieces[SHIP] = pieces_of(b, s, player, TRAIN), pieces_of(b, s, player, SHIP)
    for word in range(2):
        left = b.payable_any.word[word] & ~(s.closed.word[word] | s.barred[player].word[word])
        while left:
            route = 64 * word + lowest_bit(left)
            left &= left - 1
            kind = b.kind[route]
            if b.length[route] <= pieces[kind]:
                cost[route] = route_effort(b, spaces[kind], route)
        left = s.routes[player].word[word]
        while left:
            cost[64 * word + lowest_bit(left)] = 0
            left &= left - 1

cdef void plan_tickets(const Map* b, const State* s, const Weights* w, int player, uint64_t tickets, float turns, Plan* plan) noexcept nogil:
    """Ways for the open tickets, the longest first; what one needs is there for the next. Then how likely each is."""
    cdef int8_t via[MAX_NODES]
    cdef int i, ticket, most = effort_within(turns + w.stretch, w)
    cdef Way* way
    plan.n_ways = plan.effort = plan.need[TRAIN] = plan.need[SHIP] = 0
    plan.routes.word[0] = plan.routes.word[1] = 0
    memset(plan.share, 0, sizeof(plan.share))
    price_routes(b, s, player, plan.cost)
    memcpy(plan.base, plan.cost, sizeof(plan.base))
    if tickets == 0:
        return
    for i in range(b.n_tickets):
        ticket = b.ticket_order[i]
        if not (tickets >> ticket) & 1 or is_completed(b, s, player, ticket):
            continue
        way = &plan.way[plan.n_ways]
        plan.n_ways += 1
        way.ticket = ticket
        way.effort = find_way(b, plan.cost, b.ticket_a[ticket], b.ticket_b[ticket], most, via)
        if way.effort != NO_WAY:
            lay_way(b, plan, ticket, via)
    rate_ways(w, turns, plan)

cdef void lay_way(const Map* b, Plan* plan, int ticket, const int8_t* via) noexcept nogil:
    """Puts the routes of a way into the plan, and shares the ticket's points among them."""
    cdef int node = b.ticket_b[ticket], route, total = 0
    while node != b.ticket_a[ticket]:
        route = via[node]
        total += plan.base[route]
        node = b.end_a[route] + b.end_b[route] - node
    node = b.ticket_b[ticket]
    while node != b.ticket_a[ticket]:
        route = via[node]
        if plan.base[route] > 0:
            plan.share[route] += <float>b.ticket_points[ticket] * plan.base[route] / total
            if plan.cost[route] > 0:
                plan.effort += plan.cost[route]
                plan.need[<int>b.kind[route]] += b.length[route]
                plan.cost[route] = 0
                add_route(&plan.routes, route)
        node = b.end_a[route] + b.end_b[route] - node

cdef void rate_ways(const Weights* w, float turns, Plan* plan) noexcept nogil:
    """The tickets that need least come first; each is the less likely, the more turns are taken up by then."""
    cdef int order[MAX_TICKETS]
    cdef int i, k
    cdef float taken = 0
    cdef Way* way
    for i in range(plan.n_ways):
        k = i
        while k > 0 and plan.way[order[k - 1]].effort > plan.way[i].effort:
            order[k] = order[k - 1]
            k -= 1
        order[k] = i
    for i in range(plan.n_ways):
        way = &plan.way[order[i]]
        way.chance = 0
        if way.effort != NO_WAY:
            taken += w.toil * way.effort / UNITS
            way.chance = w.sure / (1 + expf((taken + w.delay - turns) / w.slack))

# --- evaluate ---
cdef void evaluate(const void* board, const void* state, const float* weight, float* value) noexcept nogil:
    """The points each player may expect at the end."""
    cdef const Map* b = <const Map*>board
    cdef const State* s = <const State*>state
    cdef const Weights* w = <const Weights*>weight
    cdef int player
    for player in range(s.n_players):
        if s.decision == GAME_OVER:
            value[player] = final_score(b, s, player)
        else:
            value[player] = worth_with(b, s, w, player, s.tickets[player] | s.chosen[player])

cdef float worth_with(const Map* b, const State* s, const Weights* w, int player, uint64_t tickets) noexcept nogil:
    """What a player may expect who holds these tickets: the track, tickets, harbours, the cards at hand, the turns to come."""
    cdef Plan plan
    cdef float named[MAX_NODES]
    cdef float turns = turns_to_come(b, s, w, player), total = s.score[player]
    cdef uint64_t left = tickets
    cdef int i, ticket
    memset(named, 0, sizeof(named))
    plan_tickets(b, s, w, player, tickets, turns, &plan)
    while left:
        ticket = lowest_bit(left)
        left &= left - 1
        if is_completed(b, s, player, ticket):
            total += b.ticket_points[ticket]
            named[<int>b.ticket_a[ticket]] += 1
            named[<int>b.ticket_b[ticket]] += 1
    for i in range(plan.n_ways):
        ticket = plan.way[i].ticket
        total += b.ticket_points[ticket] * (2 * plan.way[i].chance - 1)
        named[<int>b.ticket_a[ticket]] += plan.way[i].chance
        named[<int>b.ticket_b[ticket]] += plan.way[i].chance
    total += w.pace * turns
    total += w.potential * hand_potential(b, s, player) * min(turns / w.potential_turns, <float>1)
    if is_hidden(s, player):
        total += w.unknown_ticket * s.n_tickets[player]
    return total + harbour_outlook(b, s, w, player, named, turns)

cdef void list_reach(const Map* b, const State* s, int player, int8_t* trains, int8_t* ships) noexcept nogil:
    """The longest route that is open to the player, by colour; the routes that any colour can pay count for each."""
    cdef int kind, colour, length
    cdef int8_t* reach
    cdef uint64_t open_0 = ~(s.closed.word[0] | s.barred[player].word[0]), open_1 = ~(s.closed.word[1] | s.barred[player].word[1])
    for kind in range(N_DECKS):
        reach = trains if kind == TRAIN else ships
        for colour in range(N_COLOURS, -1, -1):             # grey first
            length = smaller(pieces_of(b, s, player, kind), MAX_LENGTH)
            while length > 0 and not (b.of_length[kind][colour][length].word[0] & open_0
                                      or b.of_length[kind][colour][length].word[1] & open_1):
                length -= 1
            reach[colour] = length
            if colour != GREY and reach[GREY] > length:
                reach[colour] = reach[GREY]

cdef float hand_potential(const Map* b, const State* s, int player) noexcept nogil:
    """The points of the routes that the cards of each colour could pay, wilds where they add most."""
    cdef int8_t reach[N_DECKS][N_COLOURS + 1]
    cdef const int8_t* hand = s.hand[player]
    cdef int kind, colour, have, wilds = hand[WILD], more, best = 0, total = 0
    list_reach(b, s, player, reach[TRAIN], reach[SHIP])
    for kind in range(N_DECKS):
        for colour in range(N_COLOURS):
            have = cover(hand, kind, colour) - wilds
            more = b.route_points[smaller(have + wilds, reach[kind][colour])]
            have = b.route_points[smaller(have, reach[kind][colour])]
            total += have
            best = more - have if more - have > best else best
    return total + best

cdef float harbour_outlook(const Map* b, const State* s, const Weights* w, int player, const float* named, float turns) noexcept nogil:
    """GL-63, GL-64: the harbours that stand, and those that may still be built in the best ports that are free."""
    cdef uint64_t left = s.harbours[player], sites = b.ports
    cdef float total = 0, chance, gain, best
    cdef int node, other, i, site
    while left:
        node = lowest_bit(left)
        left &= left - 1
        total += b.harbour_points[1] * min(named[node], <float>3)
    for other in range(s.n_players):
        sites &= ~s.harbours[other]
    chance = w.harbour * harbour_cards(s, player) * min(turns / 4, <float>1)
    for i in range(s.harbours_left[player]):
        best, site = 0, NOBODY
        left = sites
        while left:
            node = lowest_bit(left)
            left &= left - 1
            if named[node] > best:
                best, site = named[node], node
        gain = b.harbour_points[1] * min(best, <float>3) - b.unbuilt
        total += b.unbuilt + chance * gain
        chance *= w.next_harbour
        if site != NOBODY:
            sites &= ~bit(site)
    return total

cdef float harbour_cards(const State* s, int player) noexcept nogil:
    """The part of a harbour's price that is at hand, and a little for what will come."""
    cdef const int8_t* hand = s.hand[player]
    cdef int colour, have, best = 0
    for colour in range(N_COLOURS):
        have = (smaller(hand[card_of(colour, SYMBOL)], HARBOUR_OF_EACH) + smaller(hand[card_of(colour, SINGLE)], HARBOUR_OF_EACH))
        best = have if have > best else best
    best = smaller(best + hand[WILD], HARBOUR_COST)
    return <float>0.4 + <float>0.15 * best

# --- the worth of moves ---
cdef void look_around(const Map* b, const State* s, const Weights* w, int player, bint is_careful, Outlook* o) noexcept nogil:
    """Plan, routes, cards: all that the moves of a turn are judged by."""
    cdef int i
    cdef float taken
    o.player = player
    o.is_careful = is_careful
    o.turns = turns_to_come(b, s, w, player)
    plan_tickets(b, s, w, player, s.tickets[player], o.turns, &o.plan)
    taken = w.toil * o.plan.effort / UNITS
    o.spare = o.turns - taken
    o.pending = bit_count(o.plan.routes.word[0]) + bit_count(o.plan.routes.word[1])
    o.urge = min(max((o.turns - 1) / 3, <float>0), <float>1)
    o.ease = o.urge / (1 + (s.n_cards[player][TRAIN] + s.n_cards[player][SHIP]) / w.hand_full)
    memset(o.named, 0, sizeof(o.named))
    for i in range(o.plan.n_ways):
        o.named[<int>b.ticket_a[o.plan.way[i].ticket]] += o.plan.way[i].chance
        o.named[<int>b.ticket_b[o.plan.way[i].ticket]] += o.plan.way[i].chance
    add_completed(b, s, player, o.named)
    rate_routes(b, s, w, o)
    rate_cards(b, s, w, o)
    o.second = second_best(s, o) if s.decision == TURN else 0

cdef void add_completed(const Map* b, const State* s, int player, float* named) noexcept nogil:
    cdef uint64_t completed
    cdef int ticket
    completed_bits(b, s, player, &completed)
    while completed:
        ticket = lowest_bit(completed)
        completed &= completed - 1
        named[<int>b.ticket_a[ticket]] += 1
        named[<int>b.ticket_b[ticket]] += 1

cdef void rate_routes(const Map* b, const State* s, const Weights* w, Outlook* o) noexcept nogil:
    """Points, the tickets that hang on a route, rivals at its ends; less for pieces that the plan needs elsewhere."""
    cdef int word, route, kind, lack, other
    cdef uint64_t left, ends
    cdef float worth
    for word in range(2):
        left = b.payable_any.word[word] & ~(s.closed.word[word] | s.barred[o.player].word[word])
        while left:
            route = 64 * word + lowest_bit(left)
            left &= left - 1
            kind = b.kind[route]
            worth = b.route_points[<int>b.length[route]]
            if has_route(&o.plan.routes, route):
                worth += w.ticket * o.plan.share[route]
                ends = bit(b.end_a[route]) | bit(b.end_b[route])
                if b.twin[route] == NO_ROUTE or s.n_players < b.both_lanes_from or not is_open(s, o.player, b.twin[route]):
                    for other in range(s.n_players):
                        if other != o.player and s.touched[other] & ends:
                            worth += w.contest * o.plan.share[route]
            else:
                lack = o.plan.need[kind] + b.length[route] - s.supply[o.player][kind]
                if lack > 0:
                    worth -= w.reserve * lack
                worth *= w.extra
            o.worth[route] = worth

cdef void rate_cards(const Map* b, const State* s, const Weights* w, Outlook* o) noexcept nogil:
    """A card is worth its part of the best route that it helps to pay, and a little by itself."""
    cdef int8_t spaces[N_DECKS][N_COLOURS + 1]
    cdef int best_colour[N_DECKS]
    cdef float rate[N_DECKS][N_COLOURS]         # points a space, of the best route
    cdef float wild = 0, part
    cdef int missing[N_DECKS][N_COLOURS]
    cdef int8_t reach[N_DECKS][N_COLOURS + 1]
    cdef int word, route, kind, colour, lack
    cdef uint64_t left
    list_cover(s, o.player, spaces[TRAIN], spaces[SHIP])
    for kind in range(N_DECKS):
        best_colour[kind] = 0
        for colour in range(N_COLOURS):
            rate[kind][colour] = 0
            missing[kind][colour] = 0
            if spaces[kind][colour] > spaces[kind][best_colour[kind]]:
                best_colour[kind] = colour
    for word in range(2):
        left = (o.plan.routes.word[word] | b.payable_long.word[word]) & ~(s.closed.word[word] | s.barred[o.player].word[word])
        while left:
            route = 64 * word + lowest_bit(left)
            left &= left - 1
            kind = b.kind[route]
            colour = b.colour[route] if b.colour[route] != GREY else best_colour[kind]
            lack = b.length[route] - spaces[kind][colour]
            if lack <= 0 or b.length[route] > s.supply[o.player][kind]:
                continue
            part = o.worth[route] / b.length[route] / (1 + w.distance * (lack - 1))
            if part > rate[kind][colour]:
                rate[kind][colour] = part
                missing[kind][colour] = lack
            wild = max(wild, part)
    list_reach(b, s, o.player, reach[TRAIN], reach[SHIP])
    for colour in range(N_COLOURS):
        o.card[card_of(colour, PLAIN)] = o.ease * w.card + o.urge * (
            rate[TRAIN][colour] + w.gather * step_up(b, spaces[TRAIN][colour], 1, reach[TRAIN][colour]))
        o.card[card_of(colour, SYMBOL)] = o.card[card_of(colour, PLAIN)]
        o.card[card_of(colour, SINGLE)] = o.ease * w.card + o.urge * (
            rate[SHIP][colour] + w.gather * step_up(b, spaces[SHIP][colour], 1, reach[SHIP][colour]))
        o.card[card_of(colour, DOUBLE)] = o.ease * w.card * w.double_ship + o.urge * (
            rate[SHIP][colour] * smaller(missing[SHIP][colour], 2) + w.gather * step_up(b, spaces[SHIP][colour], 2, reach[SHIP][colour]))
        wild = max(wild, w.gather * max(step_up(b, spaces[TRAIN][colour], 1, reach[TRAIN][colour]),
                                        step_up(b, spaces[SHIP][colour], 1, reach[SHIP][colour])))
    o.card[WILD] = o.ease * w.wild + o.urge * wild
    if s.harbours_left[o.player] > 0:
        rate_symbols(s, w, o)
    rate_decks(s, o)

cdef inline float step_up(const Map* b, int have, int more, int reach) noexcept nogil:
    """The points by which a longer route could be paid with so many spaces more."""
    return b.route_points[smaller(have + more, reach)] - b.route_points[smaller(have, reach)]

cdef void rate_symbols(const State* s, const Weights* w, Outlook* o) noexcept nogil:
    """Cards with the harbour symbol: the more so, the more of their colour are there."""
    cdef const int8_t* hand = s.hand[o.player]
    cdef int colour, trains, ships
    for colour in range(N_COLOURS):
        trains = smaller(hand[card_of(colour, SYMBOL)], HARBOUR_OF_EACH)
        ships = smaller(hand[card_of(colour, SINGLE)], HARBOUR_OF_EACH)
        if trains < HARBOUR_OF_EACH:
            o.card[card_of(colour, SYMBOL)] += o.urge * w.symbol * (1 + trains + ships)
        if ships < HARBOUR_OF_EACH:
            o.card[card_of(colour, SINGLE)] += o.urge * w.symbol * (1 + trains + ships)

cdef void rate_decks(const State* s, Outlook* o) noexcept nogil:
    """GL-99: the mean of the cards that the player cannot place."""
    cdef const int8_t* fresh = &s.fresh[o.player][0]
    cdef float total[N_DECKS]
    cdef int n[N_DECKS]
    cdef int card, deck
    for deck in range(N_DECKS):
        total[deck] = n[deck] = 0
    for card in range(N_CARDS):
        total[deck_of(card)] += fresh[card] * o.card[card]
        n[deck_of(card)] += fresh[card]
    for deck in range(N_DECKS):
        o.blind[deck] = total[deck] / n[deck] if n[deck] > 0 else 0

cdef float second_best(const State* s, const Outlook* o) noexcept nogil:
    """What the second card of a turn will be worth: the second best that can be had now."""
    cdef float best = 0, second = 0, worth
    cdef int card, deck, i
    for card in range(WILD):
        for i in range(smaller(s.row[card], 2)):
            worth = o.card[card]
            if worth > best:
                best, worth = worth, best
            second = max(second, worth)
    for deck in range(N_DECKS):
        if s.n_deck[deck] > 0:
            worth = o.blind[deck]
            if worth > best:
                best, worth = worth, best
            second = max(second, worth)
    return max(second, o.blind[SHIP] if s.n_deck[SHIP] > 0 else <float>0)

cdef float claim_gain(const Map* b, const State* s, const Weights* w, const Outlook* o, int route) noexcept nogil:
    """The route's worth less the cards it takes; more when time runs out for the claims that are planned."""
    cdef int kind = b.kind[route], colour = b.colour[route], length = b.length[route], i, have, doubles, wilds = 0, spent
    cdef const int8_t* hand = s.hand[o.player]
    if colour == GREY:
        colour, have = 0, -1
        for i in range(N_COLOURS):
            if cover(hand, kind, i) > have:
                colour, have = i, cover(hand, kind, i)
    if kind == TRAIN:
        have = hand[card_of(colour, PLAIN)] + hand[card_of(colour, SYMBOL)]
        wilds = length - have if have < length else 0
        spent = length - wilds
    else:
        doubles = smaller(hand[card_of(colour, DOUBLE)], (length + 1) >> 1)
        have = 2 * doubles + hand[card_of(colour, SINGLE)]
        wilds = length - have if have < length else 0
        spent = doubles + (length - wilds - 2 * doubles if length - wilds > 2 * doubles else 0)
    cdef float gain = o.worth[route] - o.ease * (w.spent * spent + w.spent_wild * wilds)
    if has_route(&o.plan.routes, route):
        gain += w.hurry * max((o.pending + 1) / max(o.turns, <float>1) - <float>0.3, <float>0)
    return gain + w.claim

cdef float harbour_gain(const Map* b, const State* s, const Weights* w, const Outlook* o, int node) noexcept nogil:
    """GL-63, GL-64, less the cards."""
    cdef const int8_t* hand = s.hand[o.player]
    cdef int colour, have, most = 0
    for colour in range(N_COLOURS):
        have = smaller(hand[card_of(colour, SYMBOL)], HARBOUR_OF_EACH) + smaller(hand[card_of(colour, SINGLE)], HARBOUR_OF_EACH)
        most = have if have > most else most
    return (b.harbour_points[1] * min(o.named[node], <float>3) - b.unbuilt
            - o.ease * (w.spent * most + w.spent_wild * (HARBOUR_COST - most)))

cdef float tickets_gain(const Map* b, const State* s, const Weights* w, const Outlook* o) noexcept nogil:
    """What four tickets will bring: those that one's routes complete already, harbours with them, and those for which there
    is time; less what one costs that must be kept though there is not."""
    cdef float total = 0, gain, none = 1
    cdef int ticket, i, n = 0, n_good = 0, drawn = smaller(b.tickets_drawn, s.n_shuffled + s.n_under)
    for ticket in range(b.n_tickets):
        if not (s.tickets[o.player] >> ticket) & 1:
            n += 1
            gain = ticket_gain(b, s, w, o, ticket)
            if gain > 0:
                n_good += 1
                total += gain
    if n == 0:
        return 0
    for i in range(drawn):
        none *= 1 - <float>n_good / n
    return w.drawn * drawn * total / n - w.forced * none

cdef float ticket_gain(const Map* b, const State* s, const Weights* w, const Outlook* o, int ticket) noexcept nogil:
    """What a ticket that one does not hold would bring; one that is not completed yet is looked into only with time to spare."""
    cdef int8_t via[MAX_NODES]
    cdef int end, node, effort
    cdef float chance = 1, points = b.ticket_points[ticket]
    if not is_completed(b, s, o.player, ticket):
        if not o.is_careful or o.spare < w.draw_from:
            return 0
        effort = find_way(b, o.plan.cost, b.ticket_a[ticket], b.ticket_b[ticket], MOST_EFFORT, via)
        if effort == NO_WAY:
            return 0
        chance = w.sure / (1 + expf((w.toil * effort / UNITS + w.delay - o.spare) / w.slack))
    for end in range(2):
        node = b.ticket_a[ticket] if end == 0 else b.ticket_b[ticket]
        if (s.harbours[o.player] >> node) & 1 and o.named[node] < HARBOUR_STEPS - 1:
            points += chance * b.harbour_points[1]
    return points - 2 * (1 - chance) * b.ticket_points[ticket]

cdef float exchange_gain(const Map* b, const State* s, const Weights* w, const Outlook* o, int give) noexcept nogil:
    """Pieces of the other kind that the plan lacks, as far as this kind can be spared."""
    cdef int lack = o.plan.need[1 - give] - s.supply[o.player][1 - give]
    cdef int left = s.supply[o.player][give] - o.plan.need[give]
    if lack <= 0 or left < lack or exchange_limit(s, o.player, give) < lack:
        return w.no_exchange
    return w.exchange * lack

cdef float pay_cost(const Map* b, const State* s, const Weights* w, int payment) noexcept nogil:
    """Wilds are dear, cards with the harbour symbol less so, and a double ship counts for more than a single."""
    cdef int card[3]
    cdef int count[3]
    cdef float total = 0
    cdef int i
    paid_cards(b, s.asked, payment, card, count)
    for i in range(3):
        if card[i] == WILD:
            total += w.spent_wild * count[i]
        elif card[i] & 3 == PLAIN:
            total += w.spent * count[i]
        else:
            total += w.spent * w.double_ship * count[i]
    return total

cdef float piece_gain(const Map* b, const State* s, const Weights* w, int player, int trains) noexcept nogil:
    """GL-14: what the plan needs, and the rest shared."""
    cdef Plan plan
    cdef float wanted, spare
    plan_tickets(b, s, w, player, s.tickets[player], turns_to_come(b, s, w, player), &plan)
    spare = b.supply - plan.need[TRAIN] - plan.need[SHIP]
    wanted = plan.need[TRAIN] + w.trains_part * spare
    return -(trains - wanted if trains > wanted else wanted - trains)

cdef float keep_gain(const Map* b, const State* s, const Weights* w, int subset) noexcept nogil:
    return worth_with(b, s, w, s.seat, s.tickets[s.seat] | chosen_set(b, s, subset))

cdef float refill_gain(const State* s, int deck) noexcept nogil:
    """With a card still to take a look at the scarcer deck helps; else a ship never gives the next player a wild."""
    return 1 if (deck == SHIP) == (s.cards_due == 0 or s.row[WILD] == 2) else 0

cdef float move_gain(const Map* b, const State* s, const Weights* w, const Outlook* o, Move move) noexcept nogil:
    """What a move of the player on turn is worth to him, in points; only moves of a turn need the outlook."""
    cdef int kind = move_kind(move), a = move_a(move)
    if kind == DO_TAKE:
        return o.card[a] + (0 if a == WILD else o.second)      # GL-32
    if kind == DO_BLIND:
        return o.blind[a] + o.second
    if kind == DO_CLAIM:
        return claim_gain(b, s, w, o, a)
    if kind == DO_HARBOUR:
        return harbour_gain(b, s, w, o, a)
    if kind == DO_TICKETS:
        return tickets_gain(b, s, w, o)
    if kind == DO_EXCHANGE:
        return exchange_gain(b, s, w, o, a)
    if kind == DO_PAY:
        return -pay_cost(b, s, w, move_b(move))
    if kind == DO_KEEP:
        return keep_gain(b, s, w, a)
    if kind == DO_PIECES:
        return piece_gain(b, s, w, s.seat, a)
    if kind == DO_REFILL:
        return refill_gain(s, a)
    if kind == DO_AMOUNT:
        return -abs(o.plan.need[1 - s.asked] - s.supply[o.player][1 - s.asked] - a)
    return 0

cdef inline bint needs_outlook(const State* s) noexcept nogil:
    return s.decision == TURN or s.decision == SECOND_CARD or s.decision == EXCHANGING

# --- candidates ---
cdef int candidates(const void* board, const void* state, const float* weight, Move* out) noexcept nogil:
    """Every legal move, but of the claims only long routes and those that may serve a ticket; one refill; exchanges of need."""
    cdef const Map* b = <const Map*>board
    cdef const State* s = <const State*>state
    cdef Routes useful
    cdef uint64_t left = s.tickets[s.seat]
    cdef int i, n = legal(board, state, out), kept = 0, kind, ticket
    if s.decision == REFILLING and n == 2:
        out[0] = pack(DO_REFILL, SHIP if refill_gain(s, SHIP) > 0 else TRAIN, 0)
        return 1
    if s.decision != TURN:
        return n
    useful = b.payable_long
    while left:
        ticket = lowest_bit(left)
        left &= left - 1
        if not is_completed(b, s, s.seat, ticket):
            useful.word[0] |= b.useful[ticket].word[0]
            useful.word[1] |= b.useful[ticket].word[1]
    for i in range(n):
        kind = move_kind(out[i])
        if kind == DO_CLAIM and not has_route(&useful, move_a(out[i])):
            continue
        if kind == DO_EXCHANGE and s.supply[s.seat][1 - move_a(out[i])] > MAX_LENGTH:
            continue
        out[kept] = out[i]
        kept += 1
    if kept == 0:
        return legal(board, state, out)
    return kept

# --- priors ---
cdef void priors(const void* board, const void* state, const Move* move, int n, const float* weight, float* p) noexcept nogil:
    """The larger the gain, the likelier the move."""
    cdef const Map* b = <const Map*>board
    cdef const State* s = <const State*>state
    cdef const Weights* w = <const Weights*>weight
    cdef Outlook o
    cdef float most = -1e30
    cdef int i
    if n == 1:
        p[0] = 1
        return
    if needs_outlook(s):
        look_around(b, s, w, s.seat, True, &o)
    for i in range(n):
        p[i] = move_gain(b, s, w, &o, move[i])
        most = max(most, p[i])
    for i in range(n):
        p[i] = expf(max((p[i] - most) / w.sharpness, <float>-12))

# --- advance: the next turn of a playout ---
cdef void advance(const void* board, void* state, const float* weight, Rng* rng) noexcept nogil:
    """Plays the running decision and all that belongs to the same turn, the draws of chance among it."""
    cdef const Map* b = <const Map*>board
    cdef State* s = <State*>state
    cdef const Weights* w = <const Weights*>weight
    cdef Outlook o
    cdef int player = s.seat, played = s.turns_played
    if needs_outlook(s):
        look_around(b, s, w, player, False, &o)
        apply(b, s, sampled_move(b, s, w, &o, rng))
    else:
        apply(b, s, best_move(b, s, w, &o, rng))
        if s.decision == TURN or s.decision == FIRST_TICKETS or s.decision == FIRST_PIECES or s.decision == GAME_OVER:
            return
        look_around(b, s, w, player, False, &o)
    while s.turns_played == played and s.decision != GAME_OVER and s.seat == player:
        if s.decision < FIRST_TICKETS:
            apply(b, s, rolled(b, s, rng))
        else:
            apply(b, s, best_move(b, s, w, &o, rng))

cdef Move rolled(const Map* b, const State* s, Rng* rng) noexcept nogil:
    """An outcome of chance, drawn by its weight."""
    cdef Move outcome[MAX_TICKETS]
    cdef int weight[MAX_TICKETS]
    cdef int i, total = 0, n = list_outcomes(b, s, outcome, weight)
    for i in range(n):
        total += weight[i]
    total = below(rng, total)
    for i in range(n):
        total -= weight[i]
        if total < 0:
            return outcome[i]
    return outcome[n - 1]

cdef Move sampled_move(const Map* b, const State* s, const Weights* w, const Outlook* o, Rng* rng) noexcept nogil:
    """Now and then any move of any kind; else the best, where everybody errs a little about what is best."""
    cdef Move move[MAX_LISTED]
    cdef float gain, best_gain = -1e30
    cdef int i, best = 0, n = candidates(b, s, <const float*>w, move)
    if uniform(rng) < w.random:
        return random_kind(move, n, rng)
    for i in range(n):
        gain = move_gain(b, s, w, o, move[i]) + w.noise * uniform(rng)
        if gain > best_gain:
            best, best_gain = i, gain
    return move[best]

cdef Move random_kind(const Move* move, int n, Rng* rng) noexcept nogil:
    """Cards or a claim, each as likely; tickets, harbours and exchanges one time in eight."""
    cdef int i, kind, found = 0
    cdef Move fitting[MAX_LISTED]
    cdef bint is_rare = below(rng, 8) == 0, is_claim = below(rng, 2) == 0
    for i in range(n):
        kind = move_kind(move[i])
        if is_rare == (kind == DO_TICKETS or kind == DO_HARBOUR or kind == DO_EXCHANGE) and (is_rare or is_claim == (kind == DO_CLAIM)):
            fitting[found] = move[i]
            found += 1
    return fitting[below(rng, found)] if found > 0 else move[below(rng, n)]

cdef Move best_move(const Map* b, const State* s, const Weights* w, const Outlook* o, Rng* rng) noexcept nogil:
    """The best move of a decision inside a turn."""
    cdef Move move[MAX_LISTED]
    cdef float gain, best_gain = -1e30
    cdef int i, best = 0, n = candidates(b, s, <const float*>w, move)
    if n == 1:
        return move[0]
    for i in range(n):
        gain = move_gain(b, s, w, o, move[i])
        if gain > best_gain:
            best, best_gain = i, gain
    return move[best]
