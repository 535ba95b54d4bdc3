# The Great Lakes: what a seat knows, and the worlds that it could be in (GL-95 to GL-98).

cdef int n_known(const State* s, int player, int deck) noexcept nogil:
    """Cards of a hand, of one deck, that all have seen."""
    cdef int card, n = 0
    for card in range(N_CARDS):
        if deck_of(card) == deck:
            n += s.known[player][card]
    return n

cdef void note_seen(State* s, int observer, int card) noexcept nogil:
    """GL-98: a card of the deck that the observer sees is no longer one of those he cannot place."""
    if not keeps_books(s, observer):
        return
    if s.fresh[observer][card] == 0:
        mix_pools(s, observer, deck_of(card))
    s.fresh[observer][card] -= 1

cdef void note_spent(State* s, int observer, int player, int card, int still_due) noexcept nogil:
    """GL-98: another player spends a card that nobody saw him take: an old one if it can be, else a new one."""
    cdef int deck = deck_of(card)
    cdef int8_t* held = &s.held[observer][player][deck]
    if s.stale[observer][card] > 0 and held[0] > 0:
        s.stale[observer][card] -= 1
        held[0] -= 1
        return
    if s.fresh[observer][card] == 0 or s.n_cards[player][deck] + still_due < n_known(s, player, deck) + held[0]:
        mix_pools(s, observer, deck)
    s.fresh[observer][card] -= 1

cdef void mix_pools(State* s, int observer, int deck) noexcept nogil:
    """GL-98: with three players or more a guess can be wrong; then the two pools become one."""
    cdef int card, player
    for card in range(N_CARDS):
        if deck_of(card) == deck:
            s.fresh[observer][card] += s.stale[observer][card]
            s.stale[observer][card] = 0
    for player in range(s.n_players):
        s.held[observer][player][deck] = 0

cdef void view(const void* board, void* state, int observer) noexcept nogil:
    """GL-95 to GL-97: what is private to another player or unknown to all is erased, its number stays."""
    cdef State* s = <State*>state
    cdef int player, i
    if s.observer != NOBODY:
        return
    s.observer = observer
    memset(s.deck, 0, sizeof(s.deck))
    s.deck[HIDDEN + TRAIN], s.deck[HIDDEN + SHIP] = s.n_deck[TRAIN], s.n_deck[SHIP]
    s.shuffled = 0
    for i in range(s.n_under):
        if s.under_by[i] & ~BATCH != observer:
            s.under_ticket[i] = UNKNOWN
    for player in range(s.n_players):
        if player != observer:
            hide_player(s, player)

cdef void hide_player(State* s, int player) noexcept nogil:
    cdef int card, deck
    memset(s.hand[player], 0, sizeof(s.hand[player]))
    for card in range(N_CARDS):
        s.hand[player][card] = s.known[player][card]
    for deck in range(N_DECKS):
        s.hand[player][HIDDEN + deck] = s.n_cards[player][deck] - n_known(s, player, deck)
    if s.decision != GAME_OVER:                             # GL-53: shown at the end
        s.tickets[player] = 0
    s.offered[player] = s.chosen[player] = 0
    if s.n_chosen[player] > 0:                              # GL-91
        s.n_chosen[player] = UNKNOWN
    if s.trains[player] > 0:
        s.trains[player] = UNKNOWN
    memset(s.fresh[player], 0, sizeof(s.fresh[player]))
    memset(s.stale[player], 0, sizeof(s.stale[player]))
    memset(s.held[player], 0, sizeof(s.held[player]))
    memset(s.lost[player], 0, sizeof(s.lost[player]))

cdef void determinize(const void* board, void* state, int observer, const float* weight, Rng* rng) noexcept nogil:
    """GL-98: a whole state that the observer of this view could be in, each as likely as the next; with weights, tickets that
    fit their owner's routes are likelier."""
    cdef const Map* b = <const Map*>board
    cdef State* s = <State*>state
    cdef int player
    if s.observer == NOBODY:
        return
    if s.decision == PAYING and s.seat != observer:
        deal_payable_hands(b, s, rng)
    else:
        deal_unseen_cards(s, rng)
    place_tickets(b, s, <const Weights*>weight, rng)
    for player in range(s.n_players):
        if player != observer:
            guess_choices(b, s, player, rng)
    s.observer = NOBODY
    for player in range(s.n_players):
        if player != observer:
            rebuild_books(b, s, player)

cdef void deal_payable_hands(const Map* b, State* s, Rng* rng) noexcept nogil:
    """A player who is asked how he pays can pay. If no such world turns up, he chooses anew what to do."""
    cdef State blank = s[0]
    cdef int payment[MAX_PAYMENTS]
    cdef int tries
    for tries in range(MAX_TRIES):
        deal_unseen_cards(s, rng)
        if list_payments(b, s, s.seat, s.asked, payment) > 0:
            return
        s[0] = blank
    s.decision = TURN
    s.asked = 0
    deal_unseen_cards(s, rng)

cdef int list_pool(const int8_t* pool, int deck, int8_t* out) noexcept nogil:
    cdef int card, i, n = 0
    for card in range(N_CARDS):
        if deck_of(card) == deck:
            for i in range(pool[card]):
                out[n] = card
                n += 1
    return n

cdef inline int pick(int8_t* pool, int* n, Rng* rng) noexcept nogil:
    """Takes one of the n entries at random; the last one fills its place."""
    cdef int i = below(rng, n[0]), entry = pool[i]
    n[0] -= 1
    pool[i] = pool[n[0]]
    return entry

cdef void deal_unseen_cards(State* s, Rng* rng) noexcept nogil:
    cdef int deck
    for deck in range(N_DECKS):
        deal_pools(s, deck, rng)

cdef void deal_pools(State* s, int deck, Rng* rng) noexcept nogil:
    """GL-98: old unseen cards to the old places of the hands, the others to the new places and the deck."""
    cdef int8_t stale[MAX_PILE]
    cdef int8_t fresh[MAX_PILE]
    cdef int o = s.observer, player, i, held, card
    cdef int n_stale = list_pool(s.stale[o], deck, stale), n_fresh = list_pool(s.fresh[o], deck, fresh)
    for player in range(s.n_players):
        if player == o:
            continue
        held = s.held[o][player][deck]
        for i in range(held):
            s.hand[player][pick(stale, &n_stale, rng)] += 1
        for i in range(s.hand[player][HIDDEN + deck] - held):
            s.hand[player][pick(fresh, &n_fresh, rng)] += 1
        s.hand[player][HIDDEN + deck] = 0
    s.deck[HIDDEN + deck] = 0
    for card in range(N_CARDS):
        if deck_of(card) == deck:
            s.deck[card] = 0
    for i in range(n_fresh):
        s.deck[fresh[i]] += 1

cdef void place_tickets(const Map* b, State* s, const Weights* w, Rng* rng) noexcept nogil:
    """GL-98: first the tickets that the observer returned and others drew, then all that he never saw.

    Of a batch that is partly drawn he could also tell that the drawn tickets have the lower numbers (GL-R5); this is
    not followed up, nor into which of several batches of one player a lost ticket can have gone."""
    cdef int8_t unseen[MAX_TICKETS]
    cdef int ticket, player, i, n = 0, places
    cdef int o = s.observer
    cdef uint64_t left, rest = unseen_tickets(b, s)
    left = lost_tickets(s)
    while left:
        ticket = lowest_bit(left)
        left &= left - 1
        if not place_lost(s, ticket, rng):
            rest |= bit(ticket)
    while rest:
        unseen[n] = lowest_bit(rest)
        n += 1
        rest &= rest - 1
    for player in range(s.n_players):
        if player == o:
            continue
        places = s.n_tickets[player] - bit_count(s.tickets[player])
        for i in range(places):
            s.tickets[player] |= bit(pick_fitting(b, s, player, w, unseen, &n, rng) if w != NULL else pick(unseen, &n, rng))
        places = s.n_offered[player] - bit_count(s.offered[player])
        for i in range(places):
            s.offered[player] |= bit(pick(unseen, &n, rng))
    for i in range(s.n_under):
        if s.under_ticket[i] == UNKNOWN:
            s.under_ticket[i] = pick(unseen, &n, rng)
    s.shuffled = 0
    for i in range(s.n_shuffled):
        s.shuffled |= bit(pick(unseen, &n, rng))
    sort_batches(s)

cdef int pick_fitting(const Map* b, const State* s, int player, const Weights* w, int8_t* pool, int* n, Rng* rng) noexcept nogil:
    """Takes one of the n tickets, the likelier the better it fits the player's routes; the last one fills its place."""
    cdef float odds[MAX_TICKETS]
    cdef float total = 0
    cdef int i, ticket
    for i in range(n[0]):
        odds[i] = fit(b, s, player, w, pool[i])
        total += odds[i]
    total *= uniform(rng)
    i = 0
    while i + 1 < n[0] and total >= odds[i]:
        total -= odds[i]
        i += 1
    ticket = pool[i]
    n[0] -= 1
    pool[i] = pool[n[0]]
    return ticket

cdef inline float fit(const Map* b, const State* s, int player, const Weights* w, int ticket) noexcept nogil:
    """The odds that a ticket is a player's by his routes, which all see, set against one at whose cities he has none."""
    cdef int ends = ((s.touched[player] >> b.ticket_a[ticket]) & 1) + ((s.touched[player] >> b.ticket_b[ticket]) & 1)
    if is_completed(b, s, player, ticket):
        return w.fit_joined
    return 1 if ends == 0 else w.fit_one if ends == 1 else w.fit_both

cdef bint place_lost(State* s, int ticket, Rng* rng) noexcept nogil:
    """One of the free places of those who may have it, hands and batches, each as likely; is there any?"""
    cdef int player, i, n = 0, chosen, o = s.observer
    cdef int free_places[MAX_SEATS]
    for player in range(s.n_players):
        free_places[player] = 0
        if player != o and (s.lost[o][player] >> ticket) & 1:
            free_places[player] = s.n_tickets[player] - bit_count(s.tickets[player])
            free_places[player] += s.n_offered[player] - bit_count(s.offered[player])
            n += free_places[player]
            for i in range(s.n_under):
                n += s.under_ticket[i] == UNKNOWN and s.under_by[i] & ~BATCH == player
    if n == 0:
        return False
    chosen = below(rng, n)
    for player in range(s.n_players):
        if chosen < free_places[player]:
            if bit_count(s.offered[player]) < s.n_offered[player]:
                s.offered[player] |= bit(ticket)
            else:
                s.tickets[player] |= bit(ticket)
            return True
        chosen -= free_places[player]
    for i in range(s.n_under):
        player = s.under_by[i] & ~BATCH
        if s.under_ticket[i] == UNKNOWN and player < s.n_players and (s.lost[o][player] >> ticket) & 1:
            if chosen == 0:
                s.under_ticket[i] = ticket
                return True
            chosen -= 1
    return False

cdef void sort_batches(State* s) noexcept nogil:
    """GL-R5: every batch in ascending order; what lies below in a given order stays."""
    cdef int i, j, ticket
    for i in range(1, s.n_under):
        if s.under_by[i] & BATCH or s.under_by[i] & ~BATCH == UNOWNED:
            continue
        ticket = s.under_ticket[i]
        j = i
        while not s.under_by[j] & BATCH and s.under_ticket[j - 1] > ticket:
            s.under_ticket[j] = s.under_ticket[j - 1]
            j -= 1
        s.under_ticket[j] = ticket

cdef void guess_choices(const Map* b, State* s, int player, Rng* rng) noexcept nogil:
    """GL-91: choices of the setup that have been made but not shown: any of the legal ones."""
    cdef int ticket[MAX_TICKETS]
    cdef int i, n, subset
    if s.n_chosen[player] != 0:
        n = list_offered(s.offered[player], ticket)
        subset = random_subset(b, n, s.n_chosen[player], rng)
        s.n_chosen[player] = bit_count(subset)
        for i in range(n):
            if (subset >> i) & 1:
                s.chosen[player] |= bit(ticket[i])
    if s.trains[player] == UNKNOWN:
        s.trains[player] = b.supply - b.pieces[SHIP] + below(rng, b.pieces[TRAIN] + b.pieces[SHIP] - b.supply + 1)

cdef int random_subset(const Map* b, int offered, int size, Rng* rng) noexcept nogil:
    """A choice of so many tickets out of those offered; size UNKNOWN: of any number that is allowed."""
    cdef int i, n = 0, chosen
    cdef int fitting[MAX_SUBSETS]
    for i in range(b.n_subsets[offered]):
        chosen = bit_count(b.subset[offered][i])
        if chosen == size or (size == UNKNOWN and chosen >= b.first_kept_min):
            fitting[n] = b.subset[offered][i]
            n += 1
    return fitting[below(rng, n)]

cdef void rebuild_books(const Map* b, State* s, int observer) noexcept nogil:
    """What another player can deduce, in a world that was made up: without the older history."""
    cdef int card, player, unseen
    memset(s.stale[observer], 0, sizeof(s.stale[observer]))
    memset(s.held[observer], 0, sizeof(s.held[observer]))
    memset(s.lost[observer], 0, sizeof(s.lost[observer]))
    for card in range(N_CARDS):
        unseen = b.copies[card] - s.row[card] - s.discard[card] - s.hand[observer][card]
        for player in range(s.n_players):
            if player != observer:
                unseen -= s.known[player][card]
        s.fresh[observer][card] = unseen
