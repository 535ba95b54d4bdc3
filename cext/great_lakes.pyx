"""Ticket to Ride: Rails & Sails, The Great Lakes: states, moves, effects (rules GL-1 to GL-99)."""
from itertools import combinations
from libc.math cimport expf
from libc.stdlib cimport abs
from libc.string cimport memcpy, memmove, memset
from railwright.cext.game cimport (
    BY_BOARD, CHANCE, OVER, Board, Field, GameOps, Move, Position, field, move_a, move_b, move_kind, new_board, pack)
from railwright.cext.hexes cimport bit_count, lowest_bit
from railwright.cext.rng cimport Rng, below, uniform

# --- sets and cards --------------------------------------------------------------
cdef inline uint64_t bit(int i) noexcept nogil:
    return <uint64_t>1 << i

cdef inline bint has_route(const Routes* set_, int route) noexcept nogil:
    return (set_.word[route >> 6] >> (route & 63)) & 1

cdef inline void add_route(Routes* set_, int route) noexcept nogil:
    set_.word[route >> 6] |= bit(route & 63)

cdef inline int card_of(int colour, int card) noexcept nogil:
    return 4 * colour + card

cdef inline int deck_of(int card) noexcept nogil:
    """GL-3: wilds belong to the train deck."""
    return card - HIDDEN if card >= HIDDEN else TRAIN if card == WILD else (card >> 1) & 1

cdef inline bint is_hidden(const State* s, int player) noexcept nogil:
    """Is this a view of another player, who cannot see the hand and the tickets of this one?"""
    return s.observer != NOBODY and s.observer != player

cdef inline bint keeps_books(const State* s, int player) noexcept nogil:
    """Is it known here what this player can deduce?"""
    return s.observer == NOBODY or s.observer == player

# --- state -----------------------------------------------------------------------
cdef void start(const void* board, int n_players, const int* options, void* state) noexcept nogil:
    """GL-10 to GL-15: full decks; the cards are dealt by chance, seat by seat."""
    cdef const Map* b = <const Map*>board
    cdef State* s = <State*>state
    cdef int player, card
    memset(s, 0, sizeof(State))
    s.n_players = n_players
    s.observer = NOBODY
    s.turns_left = NOT_YET
    s.first_row = 1
    s.split = 0 if options[OPTION_SPLIT] == BY_BOARD else options[OPTION_SPLIT]
    s.n_shuffled = b.n_tickets
    s.shuffled = bit(b.n_tickets) - 1
    for card in range(N_CARDS):
        s.deck[card] = b.copies[card]
    for player in range(n_players):
        s.harbours_left[player] = b.harbours
        s.box[player][TRAIN], s.box[player][SHIP] = b.pieces[TRAIN], b.pieces[SHIP]
        for card in range(N_CARDS):
            s.fresh[player][card] = b.copies[card]
    s.decision = DEALING
    derive(b, s)

cdef void derive(const Map* b, State* s) noexcept nogil:
    """Works out everything that is kept up to date in play from what is given."""
    cdef int player, card, node, route
    memset(&s.closed, 0, sizeof(Routes))
    memset(s.barred, 0, sizeof(s.barred))
    memset(s.touched, 0, sizeof(s.touched))
    memset(s.n_deck, 0, sizeof(s.n_deck))
    memset(s.n_cards, 0, sizeof(s.n_cards))
    s.n_row = 0
    for card in range(N_PILE):
        s.n_deck[deck_of(card)] += s.deck[card]
        if card < N_CARDS:
            s.n_row += s.row[card]
        for player in range(s.n_players):
            s.n_cards[player][deck_of(card)] += s.hand[player][card]
    for player in range(s.n_players):
        for node in range(MAX_NODES):
            s.group[player][node] = node
        for route in range(b.n_routes):
            if has_route(&s.routes[player], route):
                take_route(b, s, player, route)

cdef void take_route(const Map* b, State* s, int player, int route) noexcept nogil:
    """The route is the player's: GL-45, GL-46, and which nodes are joined."""
    cdef int node, twin = b.twin[route]
    cdef int kept = s.group[player][<int>b.end_a[route]], gone = s.group[player][<int>b.end_b[route]]
    add_route(&s.routes[player], route)
    add_route(&s.closed, route)
    if twin != NO_ROUTE:
        add_route(&s.barred[player], twin)
        if s.n_players < b.both_lanes_from:
            add_route(&s.closed, twin)
    s.touched[player] |= bit(b.end_a[route]) | bit(b.end_b[route])
    if kept != gone:
        if kept > gone:         # the lower number stays, so that the numbers do not depend on the order of claims
            kept, gone = gone, kept
        for node in range(b.n_nodes):
            if s.group[player][node] == gone:
                s.group[player][node] = kept

cdef inline bint is_completed(const Map* b, const State* s, int player, int ticket) noexcept nogil:
    """GL-52, GL-R20: joined by one's own routes, trains and ships, also through junctions."""
    return s.group[player][<int>b.ticket_a[ticket]] == s.group[player][<int>b.ticket_b[ticket]]

cdef const char* settle(const void* board, void* state) noexcept nogil:
    """A position from outside keeps to the limits of the material; it need not be reachable in play."""
    cdef const Map* b = <const Map*>board
    cdef State* s = <State*>state
    cdef const char* fault = settle_turn(b, s)
    if fault == NULL:
        fault = settle_cards(b, s)
    if fault == NULL:
        fault = settle_tickets(b, s)
    if fault == NULL:
        fault = settle_board(b, s)
    if fault != NULL:
        return fault
    derive(b, s)
    fault = settle_books(b, s)
    if fault == NULL:
        fault = settle_setup(b, s)
    if fault == NULL:
        fault = settle_decision(b, s)
    return fault

cdef const char* settle_turn(const Map* b, const State* s) noexcept nogil:
    if not 2 <= s.n_players <= MAX_SEATS or not 0 <= s.seat < s.n_players:
        return b"seat is not a player"
    if not NOBODY <= s.observer < s.n_players:
        return b"seenby is not a player"
    if s.decision < 0 or s.decision > <int>GAME_OVER:
        return b"no such decision"
    if s.turns_played < 0 or s.turns_played > b.safety_turns * s.n_players:
        return b"turnsplayed is out of range (GL-R23)"
    if not NOT_YET <= s.turns_left <= b.further_turns * s.n_players or (s.turns_left == 0) != (s.decision == GAME_OVER) and (
            s.turns_played < b.safety_turns * s.n_players):
        return b"turnsleft is out of range, or 0 before the end (GL-80)"
    if s.first_row not in (0, 1) or not 0 <= s.sweeps <= b.sweeps_max or not 0 <= s.cards_due < CARDS_A_TURN:
        return b"firstrow, sweeps or cardsdue is out of range"
    if s.from_deck not in (TRAIN, SHIP) or not 0 <= s.to_draw <= b.tickets_drawn:
        return b"fromdeck or todraw is out of range"
    if s.split != 0 and not b.supply - b.pieces[SHIP] <= s.split <= b.pieces[TRAIN]:
        return b"split is out of range (GL-14)"
    return NULL

cdef const char* settle_cards(const Map* b, const State* s) noexcept nogil:
    """GL-1, GL-2: every card is somewhere, once."""
    cdef int card, player, total, seen, in_row = 0
    for card in range(N_PILE):
        if s.deck[card] < 0 or (s.deck[card] > 0 and (card >= HIDDEN) != (s.observer != NOBODY)):
            return b"the deck has less than no cards, or names cards in a view"
        for player in range(MAX_SEATS):
            if not 0 <= s.hand[player][card] <= MAX_PILE - 1 or (player >= s.n_players and s.hand[player][card] != 0):
                return b"a hand has less than no cards, or nobody holds it"
            if card >= HIDDEN and s.hand[player][card] > 0 and not is_hidden(s, player):
                return b"hidden cards in a hand that is seen"
    for card in range(N_CARDS):
        total = s.deck[card] + s.discard[card] + s.row[card]
        in_row += s.row[card]
        if s.discard[card] < 0 or s.row[card] < 0 or in_row > ROW:
            return b"discard or row has less than no cards, or the row more than six (GL-11)"
        for player in range(s.n_players):
            seen = s.known[player][card]
            if not 0 <= seen <= s.hand[player][card] or (is_hidden(s, player) and seen != s.hand[player][card]):
                return b"known cards are not in the hand (GL-95)"
            total += s.hand[player][card]
        if total > b.copies[card] or (s.observer == NOBODY and total < b.copies[card]):
            return b"a kind of card is there too often or not often enough (GL-1, GL-2)"
    return NULL

cdef const char* settle_tickets(const Map* b, const State* s) noexcept nogil:
    """GL-4: every ticket is there at most once; a position from outside may leave some out of the game."""
    cdef uint64_t seen = 0, everything = bit(b.n_tickets) - 1
    cdef int i, player, by, n = 0
    if not 0 <= s.n_under <= b.n_tickets or not 0 <= s.n_shuffled <= b.n_tickets or s.shuffled & ~everything:
        return b"the ticket deck is out of range"
    if bit_count(s.shuffled) != (s.n_shuffled if s.observer == NOBODY else 0):
        return b"shuffled and nshuffled differ"
    seen = s.shuffled
    n = s.n_shuffled + s.n_under
    for i in range(s.n_under):
        by = s.under_by[i] & ~BATCH
        if not (0 <= by < s.n_players or by == UNOWNED) or not UNKNOWN <= s.under_ticket[i] < b.n_tickets:
            return b"a returned ticket is out of range"
        if (s.under_ticket[i] == UNKNOWN) != (s.observer != NOBODY and by != s.observer):
            return b"a returned ticket is known to the wrong player (GL-96)"
        if i == 0 and not s.under_by[i] & BATCH:
            return b"the first returned ticket begins no batch"
        if s.under_ticket[i] != UNKNOWN:
            if seen & bit(s.under_ticket[i]):
                return b"a ticket is there twice"
            seen |= bit(s.under_ticket[i])
    for player in range(s.n_players):
        if (s.tickets[player] | s.offered[player]) & (seen | ~everything) or s.tickets[player] & s.offered[player]:
            return b"a ticket is there twice, or there is no such ticket"
        seen |= s.tickets[player] | s.offered[player]
        if not 0 <= s.n_tickets[player] <= b.n_tickets or not 0 <= s.n_offered[player] <= MAX_OFFERED:
            return b"ntickets or noffered is out of range"
        if not is_hidden(s, player):
            if bit_count(s.tickets[player]) != s.n_tickets[player] or bit_count(s.offered[player]) != s.n_offered[player]:
                return b"ntickets or noffered is not the number of tickets"
        elif s.offered[player] or bit_count(s.tickets[player]) > (s.n_tickets[player] if s.decision == GAME_OVER else 0):
            return b"tickets of another player in a view (GL-96)"
        if s.chosen[player] & ~s.offered[player]:
            return b"chosen tickets were not offered"
        if not UNKNOWN <= s.n_chosen[player] <= s.n_offered[player] or 0 < s.n_chosen[player] < b.first_kept_min:
            return b"nchosen is out of range (GL-12)"
        if not is_hidden(s, player) and bit_count(s.chosen[player]) != s.n_chosen[player]:
            return b"nchosen is not the number of tickets chosen"
        if s.trains[player] != 0 and not (is_hidden(s, player) and s.trains[player] == UNKNOWN) and not (
                b.supply - b.pieces[SHIP] <= s.trains[player] <= b.pieces[TRAIN]):
            return b"trains are out of range (GL-14)"
        n += s.n_tickets[player] + s.n_offered[player]
    if n > b.n_tickets:
        return b"there are more tickets than exist (GL-4)"
    return NULL

cdef const char* settle_board(const Map* b, const State* s) noexcept nogil:
    """GL-5, GL-45, GL-60: routes, pieces and harbours."""
    cdef uint64_t built = 0
    cdef Routes taken
    cdef int player, route, kind
    cdef int placed[N_DECKS]
    taken.word[0] = taken.word[1] = 0
    for player in range(s.n_players):
        placed[TRAIN] = placed[SHIP] = 0
        for route in range(MAX_ROUTES):
            if not has_route(&s.routes[player], route):
                continue
            if route >= b.n_routes or has_route(&taken, route):
                return b"a route is there twice, or there is no such route"
            add_route(&taken, route)
            placed[<int>b.kind[route]] += b.length[route]
            if b.twin[route] != NO_ROUTE and has_route(&s.routes[player], b.twin[route]):
                return b"one player has both lanes of a double route (GL-45)"
        if s.harbours[player] & (built | ~b.ports):
            return b"a harbour where none can stand, or two in one port (GL-60)"
        built |= s.harbours[player]
        if not 0 <= s.harbours_left[player] <= b.harbours:
            return b"harboursleft is out of range (GL-5)"
        for kind in range(N_DECKS):
            if s.supply[player][kind] < 0 or s.box[player][kind] < 0 or (
                    s.supply[player][kind] + s.box[player][kind] + placed[kind] != b.pieces[kind]):
                return b"supply, box and routes do not make up the pieces of a player (GL-5)"
    return NULL

cdef const char* settle_books(const Map* b, const State* s) noexcept nogil:
    """GL-98: pools and places agree, or `determinize` would run out of cards."""
    cdef int o, player, card, deck, i, n_fresh, n_stale, unseen
    for o in range(s.n_players):
        if not keeps_books(s, o):
            continue
        for deck in range(N_DECKS):
            n_fresh, n_stale = -s.n_deck[deck], 0
            for card in range(N_CARDS):
                if deck_of(card) == deck:
                    if s.fresh[o][card] < 0 or s.stale[o][card] < 0:
                        return b"fresh or stale has less than no cards (GL-98)"
                    n_fresh += s.fresh[o][card]
                    n_stale += s.stale[o][card]
                    unseen = b.copies[card] - s.row[card] - s.discard[card] - s.hand[o][card]
                    for player in range(s.n_players):
                        unseen -= s.known[player][card] if player != o else 0
                    if unseen != s.fresh[o][card] + s.stale[o][card]:
                        return b"fresh and stale are not the unseen cards (GL-98)"
            for player in range(s.n_players):
                if player == o:
                    continue
                if not 0 <= s.held[o][player][deck] <= s.n_cards[player][deck] - n_known(s, player, deck):
                    return b"held is out of range (GL-98)"
                n_stale -= s.held[o][player][deck]
                n_fresh -= s.n_cards[player][deck] - n_known(s, player, deck) - s.held[o][player][deck]
            if n_stale != 0 or n_fresh != 0:
                return b"fresh, stale and held do not fit the hands and the deck (GL-98)"
        for player in range(s.n_players):
            if s.lost[o][player] & (s.tickets[o] | s.offered[o] | ~(bit(b.n_tickets) - 1)):
                return b"a lost ticket is at hand (GL-98)"
            for i in range(s.n_under):
                if s.under_by[i] & ~BATCH == o and (s.lost[o][player] >> s.under_ticket[i]) & 1:
                    return b"a lost ticket lies where its observer put it (GL-98)"
    return NULL

cdef const char* settle_setup(const Map* b, const State* s) noexcept nogil:
    """GL-10 to GL-14: what has been dealt fits the step of the setup, and nothing of it is left over later."""
    cdef int player, offered, left = s.n_shuffled
    cdef bint is_setup = s.first_row or s.decision in (DEALING, DEALING_TICKETS, FIRST_TICKETS, FIRST_PIECES)
    if s.first_row != (s.decision == DEALING) and s.decision != FILLING:
        return b"firstrow is 1 only until the row of the setup lies (GL-11)"
    if s.first_row and s.decision == FILLING and s.seat != 0:
        return b"seat is not the first when the row is laid (GL-11)"
    for player in range(s.n_players):
        offered = s.n_offered[player]
        if is_setup and (s.routes[player].word[0] | s.routes[player].word[1]) != 0:
            return b"routes are claimed before the setup is done"
        if s.decision == DEALING and s.n_cards[player][TRAIN] + s.n_cards[player][SHIP] != 0 and player > s.seat:
            return b"cards are dealt out of turn (GL-10)"
        if s.decision == FIRST_TICKETS:
            if offered < b.first_kept_min and s.n_chosen[player] == 0 and player >= s.seat:
                return b"a player has too few tickets to choose from (GL-12)"
        elif s.decision == DEALING_TICKETS:
            if offered != 0 and player > s.seat or offered != b.tickets_dealt and player < s.seat or offered >= b.tickets_dealt and player == s.seat:
                return b"tickets are dealt out of turn (GL-12)"
        elif offered != 0 and (player != s.seat or s.decision not in (DRAWING_TICKETS, KEEPING)):
            return b"tickets are offered to a player who does not choose"
        if s.n_chosen[player] != 0 and s.decision != FIRST_TICKETS or s.trains[player] != 0 and s.decision != FIRST_PIECES:
            return b"nchosen or trains outside the setup"
        left += s.n_offered[player]
    if (s.first_row or s.decision == DEALING_TICKETS) and left < s.n_players * b.tickets_dealt:
        return b"too few tickets to deal (GL-12)"
    return NULL

cdef const char* settle_decision(const Map* b, State* s) noexcept nogil:
    """The decision can be made: there is at least one move."""
    cdef Move listed[MAX_LISTED]
    if s.decision == GAME_OVER:
        return NULL
    if s.decision in (DRAWING, TURNING_UP) and s.n_deck[s.from_deck] == 0:
        return b"the deck of the next card is empty"
    if s.decision == DEALING and not (s.n_cards[s.seat][TRAIN] + s.n_cards[s.seat][SHIP] < b.dealt[TRAIN] + b.dealt[SHIP]
                                      and s.n_deck[TRAIN] >= b.dealt[TRAIN] and s.n_deck[SHIP] >= b.dealt[SHIP]):
        return b"no card can be dealt (GL-10)"
    if s.decision == FILLING and fill_from(s) == NOBODY:
        return b"the row cannot be filled"
    if s.decision in (REFILLING, TURNING_UP) and s.n_row == ROW:
        return b"the row is full"
    if s.decision == DRAWING_TICKETS and not (0 < s.to_draw <= s.n_shuffled + s.n_under
                                              and s.n_offered[s.seat] + s.to_draw <= b.tickets_drawn):
        return b"todraw is out of range (GL-50)"
    if s.decision == PAYING and not (0 <= s.asked < b.n_routes and is_for_sale(b, s, s.asked)
                                     or MAX_ROUTES <= s.asked < MAX_ROUTES + b.n_nodes and is_site(b, s, s.asked - MAX_ROUTES)):
        return b"asked is nothing that can be bought"
    if s.decision == EXCHANGING and s.asked not in (TRAIN, SHIP):
        return b"asked is no kind of pieces"
    if s.decision != PAYING and s.decision != EXCHANGING:
        s.asked = 0
    if legal(b, s, listed) == 0:
        return b"the player on turn has no move"
    return NULL

# --- legal moves -----------------------------------------------------------------
cdef int to_move(const void* board, const void* state) noexcept nogil:
    cdef const State* s = <const State*>state
    if s.decision == GAME_OVER:
        return OVER
    return CHANCE if s.decision < FIRST_TICKETS else s.seat

cdef int legal(const void* board, const void* state, Move* out) noexcept nogil:
    cdef const Map* b = <const Map*>board
    cdef const State* s = <const State*>state
    if s.decision < FIRST_TICKETS:
        return list_outcomes(b, s, out, NULL)
    if s.decision == TURN:
        return legal_turns(b, s, out)
    if s.decision == SECOND_CARD:
        return legal_cards(s, False, out)
    if s.decision == REFILLING:
        return legal_refills(s, out)
    if s.decision == PAYING:
        return legal_payments(b, s, out)
    if s.decision == EXCHANGING:
        return legal_amounts(s, out)
    if s.decision == FIRST_PIECES:
        return legal_pieces(b, s, out)
    return legal_keeps(b, s, out)

cdef int chance(const void* board, const void* state, Move* out, int* weight) noexcept nogil:
    return list_outcomes(<const Map*>board, <const State*>state, out, weight)

cdef int list_outcomes(const Map* b, const State* s, Move* out, int* weight) noexcept nogil:
    """GL-99: a card by its copies in the deck, a ticket of the shuffled part 1 each; in a view what the observer expects."""
    cdef const int8_t* pile = s.deck
    cdef int kind, card, deck, n = 0
    if s.decision == DEALING_TICKETS or s.decision == DRAWING_TICKETS:
        return list_tickets(b, s, out, weight)
    kind = DO_DEAL if s.decision == DEALING else DO_DRAW if s.decision == DRAWING else DO_TURN_UP
    deck = next_deck(b, s)
    if kind != DO_TURN_UP and is_hidden(s, s.seat):
        return list_one(out, weight, pack(kind, HIDDEN + deck, 0))
    if s.observer != NOBODY:
        pile = s.fresh[s.observer]
    for card in range(N_CARDS):
        if pile[card] > 0 and deck_of(card) == deck:
            out[n] = pack(kind, card, 0)
            if weight != NULL:
                weight[n] = pile[card]
            n += 1
    return n

cdef int list_one(Move* out, int* weight, Move move) noexcept nogil:
    out[0] = move
    if weight != NULL:
        weight[0] = 1
    return 1

cdef int list_tickets(const Map* b, const State* s, Move* out, int* weight) noexcept nogil:
    cdef int kind = DO_DEAL_TICKET if s.decision == DEALING_TICKETS else DO_DRAW_TICKET
    cdef int n = 0
    cdef uint64_t left = s.shuffled
    if is_hidden(s, s.seat):
        return list_one(out, weight, pack(kind, HIDDEN_TICKET, 0))
    if s.n_shuffled == 0 and s.under_ticket[0] != UNKNOWN:
        return list_one(out, weight, pack(kind, s.under_ticket[0], 0))
    if s.observer != NOBODY:
        left = unseen_tickets(b, s)
        if s.n_shuffled == 0:
            left |= lost_tickets(s)
    while left:
        out[n] = pack(kind, lowest_bit(left), 0)
        if weight != NULL:
            weight[n] = 1
        n += 1
        left &= left - 1
    return n

cdef uint64_t unseen_tickets(const Map* b, const State* s) noexcept nogil:
    """GL-98: the tickets of which the observer of this view has never known where they lie."""
    cdef int i, player
    cdef uint64_t seen = lost_tickets(s) | s.offered[s.observer]
    for i in range(s.n_under):
        if s.under_ticket[i] != UNKNOWN:
            seen |= bit(s.under_ticket[i])
    for player in range(s.n_players):           # GL-53: those of the others are not there before the end
        seen |= s.tickets[player]
    return (bit(b.n_tickets) - 1) & ~seen

cdef uint64_t lost_tickets(const State* s) noexcept nogil:
    """GL-98: the tickets that the observer of this view returned and others have drawn since, unless they are shown."""
    cdef uint64_t lost = 0, shown = 0
    cdef int player
    for player in range(s.n_players):
        lost |= s.lost[s.observer][player]
        shown |= s.tickets[player]
    return lost & ~shown

cdef int next_deck(const Map* b, const State* s) noexcept nogil:
    """The deck of the next travel card of chance. GL-10: train cards first."""
    if s.decision == DEALING:
        return TRAIN if s.n_cards[s.seat][TRAIN] < b.dealt[TRAIN] else SHIP
    return fill_from(s) if s.decision == FILLING else s.from_deck

cdef int fill_from(const State* s) noexcept nogil:
    """GL-11, GL-34: three train cards, then three ship cards; GL-R3: what one deck lacks the other gives."""
    cdef int card, deck
    cdef int n[N_DECKS]
    n[TRAIN] = n[SHIP] = 0
    if s.n_row == ROW:
        return NOBODY
    for card in range(N_CARDS):
        n[deck_of(card)] += s.row[card]
    for deck in range(N_DECKS):
        if s.n_deck[deck] > 0 and n[deck] < ROW_OF_EACH:
            return deck
    return TRAIN if s.n_deck[TRAIN] > 0 else SHIP if s.n_deck[SHIP] > 0 else NOBODY

cdef int list_offered(uint64_t offered, int* ticket) noexcept nogil:
    """The tickets of a set in ascending order."""
    cdef int n = 0
    while offered:
        ticket[n] = lowest_bit(offered)
        n += 1
        offered &= offered - 1
    return n

cdef inline int least_kept(const Map* b, const State* s) noexcept nogil:
    """GL-12, GL-50."""
    return b.first_kept_min if s.decision == FIRST_TICKETS else b.kept_min

cdef int legal_keeps(const Map* b, const State* s, Move* out) noexcept nogil:
    """GL-12, GL-50: the subsets that are large enough; of another player one sees how many, not which."""
    cdef int i, n = 0, least = least_kept(b, s), offered = s.n_offered[s.seat]
    if is_hidden(s, s.seat):
        if s.decision == FIRST_TICKETS and s.n_chosen[s.seat] == 0:
            out[0] = pack(DO_KEEP_HIDDEN, 1, 0)     # GL-91: how many is seen when all have chosen
            n = 1
        for i in range(least, offered + 1):
            out[n] = pack(DO_KEEP_HIDDEN, i, 0)
            n += 1
        return n
    for i in range(b.n_subsets[offered]):
        if bit_count(b.subset[offered][i]) >= least:
            out[n] = pack(DO_KEEP, b.subset[offered][i], 0)
            n += 1
    return n

cdef int legal_pieces(const Map* b, const State* s, Move* out) noexcept nogil:
    """GL-14; in a view another player's choice is first unseen."""
    cdef int trains, n = 0
    if is_hidden(s, s.seat) and s.trains[s.seat] == 0:
        out[0] = pack(DO_PIECES, 0, 0)
        n = 1
    for trains in range(b.supply - b.pieces[SHIP], b.pieces[TRAIN] + 1):
        out[n] = pack(DO_PIECES, trains, 0)
        n += 1
    return n

cdef int legal_turns(const Map* b, const State* s, Move* out) noexcept nogil:
    """GL-20, GL-93: the five actions; GL-21: pass only if there is none."""
    cdef Routes open_routes
    cdef uint64_t left
    cdef int word, kind, n = legal_cards(s, True, out)
    if not is_hidden(s, s.seat):            # in a view what another player builds is told with its payment
        claimable(b, s, s.seat, &open_routes)
        for word in range(2):
            left = open_routes.word[word]
            while left:
                out[n] = pack(DO_CLAIM, 64 * word + lowest_bit(left), 0)
                n += 1
                left &= left - 1
    if s.n_shuffled + s.n_under > 0:
        out[n] = pack(DO_TICKETS, 0, 0)
        n += 1
    if not is_hidden(s, s.seat) and can_pay_harbour(s, s.seat):
        left = harbour_sites(b, s, s.seat)
        while left:
            out[n] = pack(DO_HARBOUR, lowest_bit(left), 0)
            n += 1
            left &= left - 1
    for kind in range(N_DECKS):
        if exchange_limit(s, s.seat, kind) >= 1:
            out[n] = pack(DO_EXCHANGE, kind, 0)
            n += 1
    if n == 0 or is_hidden(s, s.seat):
        out[n] = pack(DO_PASS, 0, 0)
        n += 1
    return n

cdef int legal_cards(const State* s, bint first, Move* out) noexcept nogil:
    """GL-30, GL-37; GL-32: a wild of the row only as the first card."""
    cdef int card, deck, n = 0
    for card in range(N_CARDS):
        if s.row[card] > 0 and (first or card != WILD):
            out[n] = pack(DO_TAKE, card, 0)
            n += 1
    for deck in range(N_DECKS):
        if s.n_deck[deck] > 0:
            out[n] = pack(DO_BLIND, deck, 0)
            n += 1
    return n

cdef int legal_refills(const State* s, Move* out) noexcept nogil:
    """GL-31."""
    cdef int deck, n = 0
    for deck in range(N_DECKS):
        if s.n_deck[deck] > 0:
            out[n] = pack(DO_REFILL, deck, 0)
            n += 1
    return n

cdef inline int exchange_limit(const State* s, int player, int give) noexcept nogil:
    """GL-71."""
    cdef int supply = s.supply[player][give], box = s.box[player][1 - give]
    return supply if supply < box else box

cdef int legal_amounts(const State* s, Move* out) noexcept nogil:
    cdef int k, n = exchange_limit(s, s.seat, s.asked)
    for k in range(n):
        out[k] = pack(DO_AMOUNT, k + 1, 0)
    return n

# --- what can be paid --------------------------------------------------------------
cdef inline int smaller(int a, int b) noexcept nogil:
    return a if a < b else b

cdef inline int cover(const int8_t* hand, int kind, int colour) noexcept nogil:
    """GL-41, GL-42: how many spaces of a route the cards of a colour and the wilds cover."""
    if kind == TRAIN:
        return hand[card_of(colour, PLAIN)] + hand[card_of(colour, SYMBOL)] + hand[WILD]
    return hand[card_of(colour, SINGLE)] + 2 * hand[card_of(colour, DOUBLE)] + hand[WILD]

cdef void claimable(const Map* b, const State* s, int player, Routes* out) noexcept nogil:
    """GL-40: open routes for which there are pieces and a payment."""
    cdef int kind, colour, length, longest
    out.word[0] = out.word[1] = 0
    for kind in range(N_DECKS):
        longest = 0
        for colour in range(N_COLOURS):
            length = smaller(cover(s.hand[player], kind, colour), smaller(s.supply[player][kind], MAX_LENGTH))
            longest = length if length > longest else longest
            out.word[0] |= b.payable[kind][colour][length].word[0]
            out.word[1] |= b.payable[kind][colour][length].word[1]
        out.word[0] |= b.payable[kind][GREY][longest].word[0]
        out.word[1] |= b.payable[kind][GREY][longest].word[1]
    out.word[0] &= ~(s.closed.word[0] | s.barred[player].word[0])
    out.word[1] &= ~(s.closed.word[1] | s.barred[player].word[1])

cdef inline bint is_open(const State* s, int player, int route) noexcept nogil:
    return not has_route(&s.closed, route) and not has_route(&s.barred[player], route)

cdef bint can_pay_harbour(const State* s, int player) noexcept nogil:
    """GL-61: two and two of a colour, wilds for what is missing."""
    cdef const int8_t* hand = s.hand[player]
    cdef int colour
    if s.harbours_left[player] == 0:
        return False
    for colour in range(N_COLOURS):
        if (smaller(hand[card_of(colour, SYMBOL)], HARBOUR_OF_EACH) + smaller(hand[card_of(colour, SINGLE)], HARBOUR_OF_EACH)
                + hand[WILD] >= HARBOUR_COST):
            return True
    return False

cdef inline uint64_t harbour_sites(const Map* b, const State* s, int player) noexcept nogil:
    """GL-60: ports without a harbour at the end of one's own routes."""
    cdef uint64_t sites = b.ports & s.touched[player]
    cdef int other
    for other in range(s.n_players):
        sites &= ~s.harbours[other]
    return sites

# A payment in one number: the colour and two counts. Of a train route: plain cards, cards with the symbol. Of a ship route:
# doubles, singles. Of a harbour: train cards, single ships. The wilds follow from what is bought.
cdef inline int pack_payment(int colour, int x, int y) noexcept nogil:
    return colour << 8 | x << 4 | y

cdef inline int paid_colour(int payment) noexcept nogil:
    return payment >> 8

cdef inline int paid_x(int payment) noexcept nogil:
    return payment >> 4 & 15

cdef inline int paid_y(int payment) noexcept nogil:
    return payment & 15

cdef int paid_cards(const Map* b, int asked, int payment, int* card, int* count) noexcept nogil:
    """The cards of a payment: always three kinds, some of them none times; how many there are in all."""
    cdef int colour = paid_colour(payment), x = paid_x(payment), y = paid_y(payment), wilds
    if asked >= MAX_ROUTES:
        card[0], card[1] = card_of(colour, SYMBOL), card_of(colour, SINGLE)
        wilds = HARBOUR_COST - x - y
    elif b.kind[asked] == TRAIN:
        card[0], card[1] = card_of(colour, PLAIN), card_of(colour, SYMBOL)
        wilds = b.length[asked] - x - y
    else:
        card[0], card[1] = card_of(colour, DOUBLE), card_of(colour, SINGLE)
        wilds = b.length[asked] - 2 * x - y
    card[2] = WILD
    count[0], count[1], count[2] = x, y, wilds if wilds > 0 else 0
    return x + y + count[2]

cdef int list_payments(const Map* b, const State* s, int player, int asked, int* out) noexcept nogil:
    """GL-92: the canonical payments."""
    cdef const int8_t* hand = s.hand[player]
    if asked >= MAX_ROUTES:
        return list_harbour_payments(hand, out)
    if b.kind[asked] == TRAIN:
        return list_train_payments(b, hand, asked, out)
    return list_ship_payments(b, hand, asked, out)

cdef int list_train_payments(const Map* b, const int8_t* hand, int route, int* out) noexcept nogil:
    cdef int length = b.length[route], colour, plain, symbol, n = 0
    cdef bint has_colour = False
    for colour in range(N_COLOURS):
        if b.colour[route] != GREY and b.colour[route] != colour:
            continue
        plain = smaller(hand[card_of(colour, PLAIN)], length)
        symbol = smaller(hand[card_of(colour, SYMBOL)], length - plain)
        if plain + symbol == 0:
            continue
        has_colour = True
        if length - plain - symbol <= hand[WILD]:
            out[n] = pack_payment(colour, plain, symbol)
            n += 1
    if not has_colour and length <= hand[WILD]:
        out[n] = pack_payment(0, 0, 0)
        n += 1
    return n

cdef int list_ship_payments(const Map* b, const int8_t* hand, int route, int* out) noexcept nogil:
    cdef int length = b.length[route], colour, singles, doubles, most, rest, d, n = 0
    cdef bint has_single = False, has_double = False
    for colour in range(N_COLOURS):
        if b.colour[route] != GREY and b.colour[route] != colour:
            continue
        singles, doubles = hand[card_of(colour, SINGLE)], hand[card_of(colour, DOUBLE)]
        has_single = has_single or singles > 0
        has_double = has_double or doubles > 0
        most = smaller(doubles, length >> 1)
        for d in range(most + 1):                                                   # (i)
            if length - 2 * d <= singles:
                out[n] = pack_payment(colour, d, length - 2 * d)
                n += 1
        rest = length - 2 * most - singles
        if rest > 0 and most + singles > 0 and rest <= hand[WILD]:                  # (ii)
            out[n] = pack_payment(colour, most, singles)
            n += 1
        if length & 1 and doubles >= (length + 1) >> 1:                             # (iii)
            out[n] = pack_payment(colour, (length + 1) >> 1, 0)
            n += 1
    if not has_single and (length == 1 or not has_double) and length <= hand[WILD]:
        out[n] = pack_payment(0, 0, 0)
        n += 1
    return n

cdef int list_harbour_payments(const int8_t* hand, int* out) noexcept nogil:
    cdef int colour, trains, ships, n = 0
    cdef bint has_symbol = False
    for colour in range(N_COLOURS):
        trains = smaller(hand[card_of(colour, SYMBOL)], HARBOUR_OF_EACH)
        ships = smaller(hand[card_of(colour, SINGLE)], HARBOUR_OF_EACH)
        if trains + ships == 0:
            continue
        has_symbol = True
        if HARBOUR_COST - trains - ships <= hand[WILD]:
            out[n] = pack_payment(colour, trains, ships)
            n += 1
    if not has_symbol and hand[WILD] >= HARBOUR_COST:
        out[n] = pack_payment(0, 0, 0)
        n += 1
    return n

cdef int legal_payments(const Map* b, const State* s, Move* out) noexcept nogil:
    """In a view all that another player may be able to pay."""
    cdef int payment[MAX_PAYMENTS]
    cdef int i, n
    if is_hidden(s, s.seat):
        n = 0
        for i in range(pack_payment(N_COLOURS, 0, 0)):
            if is_payment(b, s, s.asked, i):
                out[n] = pack(DO_PAY, 0, i)
                n += 1
        return n
    n = list_payments(b, s, s.seat, s.asked, payment)
    for i in range(n):
        out[i] = pack(DO_PAY, 0, payment[i])
    return n

# --- moves that are legal but not listed -------------------------------------------
cdef bint accepts(const void* board, const void* state, Move move) noexcept nogil:
    """What `legal` lists; any legal payment (GL-92); and in a view a card that only a wrong guess of GL-98 rules out."""
    cdef const Map* b = <const Map*>board
    cdef const State* s = <const State*>state
    cdef Move listed[MAX_LISTED]
    cdef int i, n, card, kind = move_kind(move)
    if kind == DO_CLAIM_PAYING:
        return s.decision == TURN and is_for_sale(b, s, move_a(move)) and is_payment(b, s, move_a(move), move_b(move))
    if kind == DO_HARBOUR_PAYING:
        return (s.decision == TURN and is_site(b, s, move_a(move))
                and is_payment(b, s, MAX_ROUTES + move_a(move), move_b(move)))
    if kind == DO_PAY and move_a(move) == 0:
        return s.decision == PAYING and is_payment(b, s, s.asked, move_b(move))
    if s.observer != NOBODY and kind == seen_kind(s) and move_b(move) == 0 and move_a(move) < N_CARDS:
        card = move_a(move)
        return deck_of(card) == next_deck(b, s) and s.fresh[s.observer][card] + s.stale[s.observer][card] > 0
    n = legal(board, state, listed)
    for i in range(n):
        if listed[i] == move:
            return True
    return False

cdef int seen_kind(const State* s) noexcept nogil:
    """The kind of the card move that the observer sees now, or NOBODY."""
    if s.decision == FILLING or s.decision == TURNING_UP:
        return DO_TURN_UP
    if s.seat == s.observer and s.decision == DEALING:
        return DO_DEAL
    return DO_DRAW if s.seat == s.observer and s.decision == DRAWING else NOBODY

cdef bint is_for_sale(const Map* b, const State* s, int route) noexcept nogil:
    return route < b.n_routes and is_open(s, s.seat, route) and s.supply[s.seat][<int>b.kind[route]] >= b.length[route]

cdef bint is_site(const Map* b, const State* s, int node) noexcept nogil:
    return node < b.n_nodes and s.harbours_left[s.seat] > 0 and (harbour_sites(b, s, s.seat) >> node) & 1

cdef bint is_payment(const Map* b, const State* s, int asked, int payment) noexcept nogil:
    """GL-41 to GL-43, GL-61: any legal payment out of the hand, canonical or not."""
    cdef int colour = paid_colour(payment), x = paid_x(payment), y = paid_y(payment), excess
    cdef int card[3]
    cdef int count[3]
    if payment >= pack_payment(N_COLOURS, 0, 0) or (x + y == 0 and colour != 0):
        return False
    if asked >= MAX_ROUTES:
        if x > HARBOUR_OF_EACH or y > HARBOUR_OF_EACH:
            return False
    else:
        if x + y > 0 and b.colour[asked] != GREY and b.colour[asked] != colour:
            return False
        excess = (x + y if b.kind[asked] == TRAIN else 2 * x + y) - b.length[asked]
        if excess > 1 or (excess == 1 and (b.kind[asked] == TRAIN or y > 0)):       # GL-43, GL-R1
            return False
    paid_cards(b, asked, payment, card, count)
    return has_cards(s, s.seat, card, count)

cdef bint has_cards(const State* s, int player, const int* card, const int* count) noexcept nogil:
    """Are these cards in the hand? In a view of another player they may be among those one cannot name."""
    cdef int missing[N_DECKS]
    cdef int i, lack, deck
    missing[TRAIN] = missing[SHIP] = 0
    for i in range(3):
        lack = count[i] - s.hand[player][card[i]]
        if lack > 0:
            if not is_hidden(s, player) or s.fresh[s.observer][card[i]] + s.stale[s.observer][card[i]] < lack:
                return False
            missing[deck_of(card[i])] += lack
    for deck in range(N_DECKS):
        if missing[deck] > s.hand[player][HIDDEN + deck]:
            return False
    return True

# --- apply -----------------------------------------------------------------------
cdef void apply(const void* board, void* state, Move move) noexcept nogil:
    cdef const Map* b = <const Map*>board
    cdef State* s = <State*>state
    cdef int kind = move_kind(move), a = move_a(move)
    if kind == DO_DEAL:
        deal_card(b, s, a)
    elif kind == DO_TURN_UP:
        turn_up(b, s, a)
    elif kind == DO_DRAW:
        gain(s, s.seat, a)
        go_on(b, s)                                         # GL-33: also a wild ends nothing
    elif kind == DO_DEAL_TICKET:
        deal_ticket(b, s, a)
    elif kind == DO_DRAW_TICKET:
        draw_ticket(s, a)
    elif kind == DO_KEEP or kind == DO_KEEP_HIDDEN:
        choose_tickets(b, s, kind, a)
    elif kind == DO_PIECES:
        choose_pieces(b, s, a)
    elif kind == DO_TAKE:
        take_card(b, s, a)
    elif kind == DO_BLIND:
        s.cards_due = CARDS_A_TURN - 1 if s.decision == TURN else 0
        s.from_deck = a
        s.decision = DRAWING
    elif kind == DO_REFILL:
        refill(s, a)
    elif kind == DO_CLAIM:
        ask_payment(b, s, a)
    elif kind == DO_HARBOUR:
        ask_payment(b, s, MAX_ROUTES + a)
    elif kind == DO_PAY:
        buy(b, s, s.asked, move_b(move))
    elif kind == DO_CLAIM_PAYING:
        buy(b, s, a, move_b(move))
    elif kind == DO_HARBOUR_PAYING:
        buy(b, s, MAX_ROUTES + a, move_b(move))
    elif kind == DO_TICKETS:
        s.to_draw = smaller(b.tickets_drawn, s.n_shuffled + s.n_under)     # GL-50
        s.decision = DRAWING_TICKETS
    elif kind == DO_EXCHANGE:
        s.asked = a
        s.decision = EXCHANGING
    elif kind == DO_AMOUNT:
        exchange(b, s, a)
    else:
        end_turn(b, s)                                      # GL-R12

# setup
cdef void deal_card(const Map* b, State* s, int card) noexcept nogil:
    """GL-10: seat by seat, train cards and then ship cards."""
    gain(s, s.seat, card)
    if s.n_cards[s.seat][TRAIN] + s.n_cards[s.seat][SHIP] == b.dealt[TRAIN] + b.dealt[SHIP]:
        s.seat += 1
        if s.seat == s.n_players:
            s.seat = 0
            s.decision = FILLING                            # GL-11

cdef void deal_ticket(const Map* b, State* s, int ticket) noexcept nogil:
    """GL-12: seat by seat."""
    offer_ticket(s, ticket)
    if s.n_offered[s.seat] == b.tickets_dealt:
        s.seat += 1
        if s.seat == s.n_players:
            s.seat = 0
            s.decision = FIRST_TICKETS

cdef uint64_t chosen_set(const Map* b, const State* s, int subset) noexcept nogil:
    """The tickets of a subset of those offered."""
    cdef int ticket[MAX_TICKETS]
    cdef uint64_t kept = 0
    cdef int i, n = list_offered(s.offered[s.seat], ticket)
    for i in range(n):
        if (subset >> i) & 1:
            kept |= bit(ticket[i])
    return kept

cdef void choose_tickets(const Map* b, State* s, int kind, int choice) noexcept nogil:
    """GL-12, GL-50. GL-91: in the setup asked seat by seat, carried out when all have chosen."""
    cdef uint64_t kept = chosen_set(b, s, choice) if kind == DO_KEEP else 0
    cdef int player, n = bit_count(choice) if kind == DO_KEEP else choice
    if s.decision == KEEPING:
        keep(s, s.seat, kept, n)
        end_action(b, s)
        return
    s.chosen[s.seat] = kept
    s.n_chosen[s.seat] = n if n >= b.first_kept_min else UNKNOWN
    s.seat = next_to_choose(s, s.n_chosen)
    if s.seat < s.n_players:
        return
    for player in range(s.n_players):
        keep(s, player, s.chosen[player], s.n_chosen[player])
        s.chosen[player] = s.n_chosen[player] = 0
    s.seat = 0
    if s.split == 0:
        s.decision = FIRST_PIECES
        return
    for player in range(s.n_players):
        set_pieces(b, s, player, s.split)
    s.decision = TURN

cdef int next_to_choose(const State* s, const int8_t* choice) noexcept nogil:
    """The next seat; when all have chosen, in a view those of whom it is still unknown; n_players when there is none."""
    cdef int player
    for player in range(s.seat + 1, s.n_players):
        if choice[player] == 0:
            return player
    for player in range(s.n_players):
        if choice[player] <= 0:
            return player
    return s.n_players

cdef void choose_pieces(const Map* b, State* s, int trains) noexcept nogil:
    """GL-14. GL-91: asked seat by seat, carried out when all have chosen."""
    cdef int player
    s.trains[s.seat] = trains if trains > 0 else UNKNOWN
    s.seat = next_to_choose(s, s.trains)
    if s.seat < s.n_players:
        return
    for player in range(s.n_players):
        set_pieces(b, s, player, s.trains[player])
        s.trains[player] = 0
    s.seat = 0
    s.decision = TURN

cdef void set_pieces(const Map* b, State* s, int player, int trains) noexcept nogil:
    s.supply[player][TRAIN], s.supply[player][SHIP] = trains, b.supply - trains
    s.box[player][TRAIN], s.box[player][SHIP] = b.pieces[TRAIN] - trains, b.pieces[SHIP] - b.supply + trains

# travel cards
cdef void gain(State* s, int player, int card) noexcept nogil:
    """A card of a deck goes to a hand, unseen by the others; `card` may be a hidden one."""
    cdef int deck = deck_of(card)
    s.deck[card if s.observer == NOBODY else HIDDEN + deck] -= 1
    s.n_deck[deck] -= 1
    s.hand[player][card] += 1
    s.n_cards[player][deck] += 1
    if card < HIDDEN:
        note_seen(s, player, card)
    if s.n_deck[deck] == 0:
        remake(s, deck)

cdef void turn_up(const Map* b, State* s, int card) noexcept nogil:
    """A card turned up as a replacement, or as one of a new row."""
    cdef int deck = deck_of(card), player
    s.deck[card if s.observer == NOBODY else HIDDEN + deck] -= 1
    s.n_deck[deck] -= 1
    s.row[card] += 1
    s.n_row += 1
    for player in range(s.n_players):
        note_seen(s, player, card)
    if s.n_deck[deck] == 0:
        remake(s, deck)
    if s.decision == TURNING_UP:
        row_changed(b, s)
    elif fill_from(s) == NOBODY:
        check_wilds(b, s)

cdef void remake(State* s, int deck) noexcept nogil:
    """GL-36, GL-R2: an empty deck is made of its discards, if there are any. GL-98 for what is deduced."""
    cdef int card, player, other, n = 0
    for card in range(N_CARDS):
        if deck_of(card) == deck:
            n += s.discard[card]
    if n == 0:
        return
    for player in range(s.n_players):
        if not keeps_books(s, player):
            continue
        for card in range(N_CARDS):
            if deck_of(card) == deck:
                s.stale[player][card] += s.fresh[player][card]
                s.fresh[player][card] = s.discard[card]
        for other in range(s.n_players):
            if other != player:
                s.held[player][other][deck] = s.n_cards[other][deck] - n_known(s, other, deck)
    for card in range(N_CARDS):
        if deck_of(card) == deck:
            s.deck[card if s.observer == NOBODY else HIDDEN + deck] += s.discard[card]
            s.discard[card] = 0
    s.n_deck[deck] = n

cdef void take_card(const Map* b, State* s, int card) noexcept nogil:
    """GL-31, GL-32."""
    cdef bint first = s.decision == TURN
    s.cards_due = CARDS_A_TURN - 1 if first and card != WILD else 0
    s.row[card] -= 1
    s.n_row -= 1
    s.hand[s.seat][card] += 1
    s.known[s.seat][card] += 1
    s.n_cards[s.seat][deck_of(card)] += 1
    if s.n_deck[TRAIN] + s.n_deck[SHIP] > 0:
        ask_refill(s)
    else:
        row_changed(b, s)                                   # GL-37: not replaced

cdef void ask_refill(State* s) noexcept nogil:
    """GL-31: the deck of the new card; not asked if only one deck has cards."""
    if s.n_deck[TRAIN] > 0 and s.n_deck[SHIP] > 0:
        s.decision = REFILLING
    else:
        refill(s, TRAIN if s.n_deck[TRAIN] > 0 else SHIP)

cdef void refill(State* s, int deck) noexcept nogil:
    s.from_deck = deck
    s.decision = TURNING_UP

cdef void row_changed(const Map* b, State* s) noexcept nogil:
    """GL-R3: a row that changes is looked at afresh."""
    s.sweeps = 0
    check_wilds(b, s)

cdef void check_wilds(const Map* b, State* s) noexcept nogil:
    """GL-34, GL-R3: sweep the row, or go on."""
    cdef int card, deck
    if s.row[WILD] < b.wilds_that_sweep or s.sweeps == b.sweeps_max:
        go_on(b, s)
        return
    s.sweeps += 1
    for card in range(N_CARDS):
        s.discard[card] += s.row[card]
        s.row[card] = 0
    s.n_row = 0
    for deck in range(N_DECKS):
        if s.n_deck[deck] == 0:
            remake(s, deck)                                 # GL-R2: after the whole row has been discarded
    s.decision = FILLING

cdef void go_on(const Map* b, State* s) noexcept nogil:
    """GL-90: what comes when the row is settled."""
    s.from_deck = 0
    if s.first_row:                                         # GL-12
        s.first_row = 0
        s.decision = DEALING_TICKETS
    elif s.cards_due > 0 and (s.n_row > s.row[WILD] or s.n_deck[TRAIN] + s.n_deck[SHIP] > 0):
        s.decision = SECOND_CARD
    else:                                                   # GL-38
        end_action(b, s)

# claiming and building
cdef void ask_payment(const Map* b, State* s, int asked) noexcept nogil:
    """Asked only if there is more than one canonical payment (GL-92)."""
    cdef int payment[MAX_PAYMENTS]
    if list_payments(b, s, s.seat, asked, payment) == 1:
        buy(b, s, asked, payment[0])
    else:
        s.asked = asked
        s.decision = PAYING

cdef void buy(const Map* b, State* s, int asked, int payment) noexcept nogil:
    """GL-44, GL-62."""
    cdef int card[3]
    cdef int count[3]
    cdef int i, player = s.seat
    paid_cards(b, asked, payment, card, count)
    for i in range(3):
        if count[i] > 0:
            spend(s, player, card[i], count[i])
    for i in range(N_DECKS):
        if s.n_deck[i] == 0:
            remake(s, i)                                    # GL-R2: after the whole payment
    if asked >= MAX_ROUTES:
        s.harbours[player] |= bit(asked - MAX_ROUTES)
        s.harbours_left[player] -= 1
    else:
        s.supply[player][<int>b.kind[asked]] -= b.length[asked]
        s.score[player] += b.route_points[<int>b.length[asked]]
        take_route(b, s, player, asked)
    s.asked = 0
    end_action(b, s)

cdef void spend(State* s, int player, int card, int n) noexcept nogil:
    """GL-98: off what all have seen first, then off what each observer must guess."""
    cdef int deck = deck_of(card), seen = smaller(n, s.known[player][card]), i, other
    s.known[player][card] -= seen
    s.discard[card] += n
    s.n_cards[player][deck] -= n
    if is_hidden(s, player):
        s.hand[player][card] -= seen
        s.hand[player][HIDDEN + deck] -= n - seen
    else:
        s.hand[player][card] -= n
    for other in range(s.n_players):
        if other != player and keeps_books(s, other):
            for i in range(n - seen):
                note_spent(s, other, player, card, n - seen - i - 1)

# tickets
cdef void offer_ticket(State* s, int ticket) noexcept nogil:
    """The next ticket goes to the player on turn: of the shuffled part, or the top of the oldest batch."""
    cdef int other, player = s.seat
    s.n_offered[player] += 1
    if s.n_shuffled > 0:
        s.n_shuffled -= 1
    else:
        lift_returned(s)
    if ticket != HIDDEN_TICKET:
        s.offered[player] |= bit(ticket)
        s.shuffled &= ~bit(ticket)
        for other in range(s.n_players):
            s.lost[player][other] &= ~bit(ticket)

cdef void lift_returned(State* s) noexcept nogil:
    """The top of the oldest batch is drawn. GL-98: who returned it knows who has it; the others know who may have it."""
    cdef int other, player = s.seat, by = s.under_by[0] & ~BATCH, ticket = s.under_ticket[0]
    if s.n_under > 1 and s.under_by[0] & BATCH:
        s.under_by[1] |= BATCH
    s.n_under -= 1
    memmove(&s.under_ticket[0], &s.under_ticket[1], s.n_under)
    memmove(&s.under_by[0], &s.under_by[1], s.n_under)
    s.under_ticket[s.n_under] = s.under_by[s.n_under] = 0
    for other in range(s.n_players):
        if other != player and by != UNOWNED and keeps_books(s, other):
            s.lost[other][player] |= bit(ticket) if other == by else s.lost[other][by]

cdef void draw_ticket(State* s, int ticket) noexcept nogil:
    """GL-50."""
    offer_ticket(s, ticket)
    s.to_draw -= 1
    if s.to_draw == 0:
        s.decision = KEEPING

cdef void keep(State* s, int player, uint64_t kept, int n_kept) noexcept nogil:
    """GL-51, GL-R5: the others go under the deck, the highest at the very bottom."""
    cdef uint64_t back = s.offered[player] & ~kept
    cdef int i
    for i in range(s.n_offered[player] - n_kept):
        s.under_by[s.n_under] = player + (BATCH if i == 0 else 0)
        if is_hidden(s, player):
            s.under_ticket[s.n_under] = UNKNOWN
        else:
            s.under_ticket[s.n_under] = lowest_bit(back)
            back &= back - 1
        s.n_under += 1
    s.tickets[player] |= kept
    s.n_tickets[player] += n_kept
    s.offered[player] = s.n_offered[player] = 0

# pieces, and the end of a turn
cdef void exchange(const Map* b, State* s, int k) noexcept nogil:
    """GL-70, GL-R8."""
    cdef int give = s.asked
    s.supply[s.seat][give] -= k
    s.box[s.seat][give] += k
    s.supply[s.seat][1 - give] += k
    s.box[s.seat][1 - give] -= k
    s.score[s.seat] -= k
    s.asked = 0
    end_action(b, s)

cdef void end_action(const Map* b, State* s) noexcept nogil:
    """GL-R6: first the player on turn refills a short row, card by card."""
    s.cards_due = 0
    if s.n_row < ROW and s.n_deck[TRAIN] + s.n_deck[SHIP] > 0:
        ask_refill(s)
    else:
        end_turn(b, s)

cdef void end_turn(const Map* b, State* s) noexcept nogil:
    """GL-80, GL-R23."""
    s.turns_played += 1
    s.sweeps = 0
    if s.turns_left != NOT_YET:
        s.turns_left -= 1
    elif s.supply[s.seat][TRAIN] + s.supply[s.seat][SHIP] <= b.trigger:
        s.turns_left = b.further_turns * s.n_players
    if s.turns_left == 0 or s.turns_played >= b.safety_turns * s.n_players:
        s.decision = GAME_OVER
        return
    s.seat = s.seat + 1 if s.seat + 1 < s.n_players else 0
    s.decision = TURN

# --- end and score ---------------------------------------------------------------
cdef int completed_bits(const Map* b, const State* s, int player, uint64_t* out) noexcept nogil:
    """GL-52: the player's completed tickets; how many they are."""
    cdef uint64_t left = s.tickets[player]
    cdef int ticket
    out[0] = 0
    while left:
        ticket = lowest_bit(left)
        left &= left - 1
        if is_completed(b, s, player, ticket):
            out[0] |= bit(ticket)
    return bit_count(out[0])

cdef int final_score(const Map* b, const State* s, int player) noexcept nogil:
    """GL-81: track, tickets, harbours (GL-63), harbours not built (GL-64)."""
    cdef int named[MAX_NODES]
    cdef uint64_t completed, left = s.tickets[player]
    cdef int ticket, node, total = s.score[player] + b.unbuilt * s.harbours_left[player]
    memset(named, 0, sizeof(named))
    completed_bits(b, s, player, &completed)
    while left:
        ticket = lowest_bit(left)
        left &= left - 1
        if (completed >> ticket) & 1:
            total += b.ticket_points[ticket]
            named[<int>b.ticket_a[ticket]] += 1
            named[<int>b.ticket_b[ticket]] += 1
        else:
            total -= b.ticket_points[ticket]
    left = s.harbours[player]
    while left:
        node = lowest_bit(left)
        left &= left - 1
        total += b.harbour_points[smaller(named[node], HARBOUR_STEPS - 1)]
    return total

cdef void scores(const void* board, const void* state, int* score) noexcept nogil:
    """GL-81, GL-82: the points on the track; when the game is over, the final score."""
    cdef const State* s = <const State*>state
    cdef int player
    for player in range(s.n_players):
        score[player] = final_score(<const Map*>board, s, player) if s.decision == GAME_OVER else s.score[player]

cdef void tiebreak(const void* board, const void* state, int* key) noexcept nogil:
    """GL-R9: most completed tickets."""
    cdef const State* s = <const State*>state
    cdef uint64_t completed
    cdef int player
    for player in range(s.n_players):
        key[player] = completed_bits(<const Map*>board, s, player, &completed) if s.decision == GAME_OVER else 0

# --- what is hidden --------------------------------------------------------------
include "great_lakes_hidden.pxi"

# --- what a player thinks --------------------------------------------------------
include "great_lakes.pxi"

# --- notation --------------------------------------------------------------------
cdef State* AT = NULL
cdef Field[43] FIELDS
FIELDS[:] = [
    field(b"tickets", &AT.tickets, 8, MAX_SEATS),
    field(b"offered", &AT.offered, 8, MAX_SEATS),
    field(b"chosen", &AT.chosen, 8, MAX_SEATS),
    field(b"shuffled", &AT.shuffled, 8, 1),
    field(b"routes", &AT.routes, 8, 2 * MAX_SEATS),
    field(b"harbours", &AT.harbours, 8, MAX_SEATS),
    field(b"score", &AT.score, 2, MAX_SEATS),
    field(b"turnsplayed", &AT.turns_played, 2, 1),
    field(b"turnsleft", &AT.turns_left, 2, 1),
    field(b"asked", &AT.asked, 2, 1),
    field(b"hand", &AT.hand, 1, MAX_SEATS * N_PILE),
    field(b"deck", &AT.deck, 1, N_PILE),
    field(b"discard", &AT.discard, 1, N_CARDS),
    field(b"row", &AT.row, 1, N_CARDS),
    field(b"under", &AT.under_ticket, 1, MAX_TICKETS),
    field(b"underby", &AT.under_by, 1, MAX_TICKETS),
    field(b"nunder", &AT.n_under, 1, 1),
    field(b"nshuffled", &AT.n_shuffled, 1, 1),
    field(b"ntickets", &AT.n_tickets, 1, MAX_SEATS),
    field(b"noffered", &AT.n_offered, 1, MAX_SEATS),
    field(b"nchosen", &AT.n_chosen, 1, MAX_SEATS),
    field(b"trains", &AT.trains, 1, MAX_SEATS),
    field(b"supply", &AT.supply, 1, MAX_SEATS * N_DECKS),
    field(b"box", &AT.box, 1, MAX_SEATS * N_DECKS),
    field(b"harboursleft", &AT.harbours_left, 1, MAX_SEATS),
    field(b"decision", &AT.decision, 1, 1),
    field(b"seat", &AT.seat, 1, 1),
    field(b"split", &AT.split, 1, 1),
    field(b"firstrow", &AT.first_row, 1, 1),
    field(b"sweeps", &AT.sweeps, 1, 1),
    field(b"cardsdue", &AT.cards_due, 1, 1),
    field(b"fromdeck", &AT.from_deck, 1, 1),
    field(b"todraw", &AT.to_draw, 1, 1),
    field(b"seenby", &AT.observer, 1, 1),
    field(b"known", &AT.known, 1, MAX_SEATS * N_CARDS),
    field(b"fresh", &AT.fresh, 1, MAX_SEATS * N_CARDS),
    field(b"stale", &AT.stale, 1, MAX_SEATS * N_CARDS),
    field(b"held", &AT.held, 1, MAX_SEATS * MAX_SEATS * N_DECKS),
    field(b"lost", &AT.lost, 8, MAX_SEATS * MAX_SEATS),
    field(b"group", &AT.group, 1, MAX_SEATS * MAX_NODES, True),
    field(b"ndeck", &AT.n_deck, 1, N_DECKS, True),
    field(b"ncards", &AT.n_cards, 1, MAX_SEATS * N_DECKS, True),
    field(NULL, NULL, 0, 0),
]

cdef GameOps OPS = GameOps(
    name=b"great-lakes", state_size=sizeof(State), key_size=<size_t>&AT.known, fields=&FIELDS[0],
    start=start, settle=settle, to_move=to_move, legal=legal, chance=chance, accepts=accepts, apply=apply,
    scores=scores, tiebreak=tiebreak, view=view, determinize=determinize,
    evaluate=evaluate, candidates=candidates, priors=priors, advance=advance)

def payment_cards(Position position not None, int asked, int payment) -> dict[int, int]:
    """The cards of a payment for a route, or for a harbour (MAX_ROUTES + city): kind -> how many."""
    cdef int card[3]
    cdef int count[3]
    paid_cards(<const Map*>position.board.data, asked, payment, card, count)
    return {card[i]: count[i] for i in range(3) if count[i]}

def canonical_payments(Position position not None, int asked) -> list[int]:
    """GL-92: what the player on turn can pay with for a route, or for a harbour (MAX_ROUTES + city)."""
    cdef int payment[MAX_PAYMENTS]
    cdef const State* s = <const State*>position.state
    cdef int n = list_payments(<const Map*>position.board.data, s, s.seat, asked, payment)
    return [payment[i] for i in range(n)]

def asked_of(Position position not None) -> int:
    """What is being bought: a route, or a harbour (MAX_ROUTES + city)."""
    return (<const State*>position.state).asked

def offered_to(Position position not None) -> list[int]:
    """The tickets that the player on turn chooses from, in ascending order."""
    cdef const State* s = <const State*>position.state
    return [ticket for ticket in range(MAX_TICKETS) if (s.offered[s.seat] >> ticket) & 1]

def cheapest_way(Position position not None, int ticket) -> list[int] | None:
    """The routes that the player on turn has still to claim for a ticket, the fewest spaces in all; None: there is no way."""
    cdef const Map* b = <const Map*>position.board.data
    cdef const State* s = <const State*>position.state
    cdef uint8_t cost[MAX_ROUTES]
    cdef int8_t via[MAX_NODES]
    cdef int route, node = b.ticket_b[ticket]
    price_routes(b, s, s.seat, cost)
    for route in range(b.n_routes):
        if cost[route] != 0 and cost[route] != NO_WAY:
            cost[route] = b.length[route]
    if find_way(b, cost, b.ticket_a[ticket], node, MOST_EFFORT, via) == NO_WAY:
        return None
    found = []
    while node != b.ticket_a[ticket]:
        route = via[node]
        if cost[route] > 0:
            found.append(route)
        node = b.end_a[route] + b.end_b[route] - node
    return found[::-1]

def gains(Position position not None, moves, const float[::1] weights not None) -> list[float]:
    """What each of the moves is worth to the player on turn, in points."""
    cdef const Map* b = <const Map*>position.board.data
    cdef const State* s = <const State*>position.state
    cdef const Weights* w = <const Weights*>&weights[0]
    cdef Outlook o
    if needs_outlook(s):
        look_around(b, s, w, s.seat, True, &o)
    return [move_gain(b, s, w, &o, move) for move in moves]

def tickets_planned(Position position not None, const float[::1] weights not None) -> list[tuple[int, float, list[int]]]:
    """The open tickets of the player on turn: the ticket, its chance, and the routes planned for all of them."""
    cdef const Map* b = <const Map*>position.board.data
    cdef const State* s = <const State*>position.state
    cdef const Weights* w = <const Weights*>&weights[0]
    cdef Plan plan
    plan_tickets(b, s, w, s.seat, s.tickets[s.seat], turns_to_come(b, s, w, s.seat), &plan)
    routes = [route for route in range(b.n_routes) if has_route(&plan.routes, route)]
    return [(plan.way[i].ticket, plan.way[i].chance, routes) for i in range(plan.n_ways)]

def final_scores(Position position not None) -> list[int]:
    """GL-81: what each player would have if the game ended now."""
    cdef const State* s = <const State*>position.state
    return [final_score(<const Map*>position.board.data, s, player) for player in range(s.n_players)]

def make_board(figures: dict) -> Board:
    """The board of these figures. They have been checked; what the core relies on is asserted once more."""
    cdef Board board = new_board(&OPS, sizeof(Map), 2, MAX_SEATS)
    cdef Map* b = <Map*>board.data
    cdef int i, n, kind, colour, length
    b.n_nodes, b.n_routes, b.n_tickets = len(figures["ports"]), len(figures["routes"]), len(figures["tickets"])
    assert b.n_nodes <= MAX_NODES and b.n_routes < MAX_ROUTES and MAX_SEATS * MAX_OFFERED <= b.n_tickets < HIDDEN_TICKET
    for i, is_port in enumerate(figures["ports"]):
        b.ports |= bit(i) if is_port else 0
    for i, (end_a, end_b, kind, colour, length, twin) in enumerate(figures["routes"]):
        assert 0 <= end_a < b.n_nodes and 0 <= end_b < b.n_nodes and kind in (TRAIN, SHIP) and 1 <= length <= MAX_LENGTH
        assert 0 <= colour <= GREY and NO_ROUTE <= twin < b.n_routes
        b.end_a[i], b.end_b[i], b.kind[i], b.colour[i], b.length[i], b.twin[i] = end_a, end_b, kind, colour, length, twin
        add_route(&b.at_node[end_a], i)
        add_route(&b.at_node[end_b], i)
        add_route(&b.of_length[kind][colour][length], i)
        for n in range(length, MAX_LENGTH + 1):
            add_route(&b.payable[kind][colour][n], i)
    for i, (end_a, end_b, points) in enumerate(figures["tickets"]):
        assert 0 <= end_a < b.n_nodes and 0 <= end_b < b.n_nodes
        b.ticket_a[i], b.ticket_b[i], b.ticket_points[i] = end_a, end_b, points
    for i in range(N_CARDS):
        b.copies[i] = figures["copies"][i]
    for i in range(N_DECKS):
        b.pieces[i], b.dealt[i] = figures["pieces"][i], figures["dealt"][i]
        assert sum(b.copies[n] for n in range(N_CARDS) if deck_of(n) == i) < MAX_PILE
        assert sum(b.copies[n] for n in range(N_CARDS) if deck_of(n) == i) > MAX_SEATS * b.dealt[i] + ROW
    b.supply, b.harbours = figures["supply"], figures["harbours"]
    b.tickets_dealt, b.first_kept_min = figures["tickets_dealt"], figures["first_kept_min"]
    b.tickets_drawn, b.kept_min = figures["tickets_drawn"], figures["kept_min"]
    assert 1 < b.first_kept_min <= b.tickets_dealt <= MAX_OFFERED and 0 < b.kept_min <= 1 and b.tickets_drawn <= MAX_OFFERED
    b.wilds_that_sweep, b.sweeps_max = figures["wilds_that_sweep"], figures["sweeps_max"]
    b.both_lanes_from = figures["both_lanes_from"]
    b.trigger, b.further_turns, b.safety_turns = figures["trigger"], figures["further_turns"], figures["safety_turns"]
    for i in range(MAX_LENGTH + 1):
        b.route_points[i] = figures["route_points"][i]
    for i in range(HARBOUR_STEPS):
        b.harbour_points[i] = figures["harbour_points"][i]
    b.unbuilt = figures["unbuilt"]
    for route, length in enumerate(figures["route_lengths"]):
        add_route(&b.payable_any, route)
        if length >= LONG_ROUTE:
            add_route(&b.payable_long, route)
    for i in range(b.n_nodes):
        b.n_adjacent[i] = len(figures["adjacent"][i])
        assert b.n_adjacent[i] <= MAX_ADJACENT
        for n in range(b.n_adjacent[i]):
            b.adjacent[i][n] = figures["adjacent"][i][n]
    for i in range(b.n_tickets):
        b.ticket_order[i] = figures["ticket_order"][i]
        for route in figures["useful"][i]:
            add_route(&b.useful[i], route)
    for n in range(MAX_OFFERED + 1):
        for size in range(1, n + 1):
            for chosen in combinations(range(n), size):
                b.subset[n][b.n_subsets[n]] = sum(1 << i for i in chosen)
                b.n_subsets[n] += 1
    return board
