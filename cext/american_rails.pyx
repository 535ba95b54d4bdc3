"""American Rails: states, moves, effects (rules AR-1 to AR-66)."""
from libc.math cimport expf
from libc.stdint cimport uint8_t
from libc.string cimport memcpy, memset
from railwright.cext cimport rng as random
from railwright.cext.auction cimport (
    NOBODY, Auction, auction_fault, dividend_per_share, is_settled, least_bid, make_bid, open_auction, pass_bid)
from railwright.cext.game cimport (
    BY_BOARD, CHANCE, MAX_CASH, MAX_PLAYERS, OVER, Board, Field, GameOps, Move, Position, field, move_a, move_amount,
    move_b, move_kind, new_board, pack, pack_amount)
from railwright.cext.hexes cimport (
    HEX_WORDS, MAX_HEXES, Hexes, add_hex, count_hexes, has_hex, is_within, list_hexes)
from railwright.cext.rng cimport Rng

# --- state -----------------------------------------------------------------------
cdef void start(const void* board, int n_players, const int* options, void* state) noexcept nogil:
    """AR-11 to AR-15: money, supplies, and what chance decides before the preparation round."""
    cdef const Map* b = <const Map*>board
    cdef State* s = <State*>state
    cdef int company, player, i
    memset(s, 0, sizeof(State))
    s.n_players = n_players
    for player in range(n_players):
        s.cash[player] = b.starting_cash[n_players]         # AR-13
    for company in range(N_COMPANIES):
        s.cubes[company] = b.cubes[company]
        s.dividend[company] = NO_DIVIDEND
    for i in range(MAX_SEATS):
        s.order[i] = NOBODY
    for i in range(N_SPACES):
        s.taken[i] = NOBODY
    s.houses = b.houses
    s.waiting_bits = (1 << N_COMPANIES) - 1
    s.removed = NO_COMPANY
    s.banker = NOBODY if options[OPTION_BANKER] == 1 else 0     # R-1
    derive(b, s)
    if b.n_removed[n_players] == 0:
        begin_preparation(b, s)
    elif options[OPTION_REMOVED] == BY_BOARD:
        s.decision = REMOVING
    else:
        remove_company(b, s, options[OPTION_REMOVED])

cdef void derive(const Map* b, State* s) noexcept nogil:
    """Works out everything that is kept up to date in play from what is given (AR-58 for the incomes)."""
    cdef int hexes[MAX_HEXES]
    cdef int company, player, i, n
    memset(s.n_on, 0, sizeof(s.n_on))
    memset(&s.occupied, 0, sizeof(Hexes))
    memset(&s.blocked, 0, sizeof(Hexes))
    memset(s.frontier, 0, sizeof(s.frontier))
    for company in range(N_COMPANIES):
        s.sold[company] = 0
        for player in range(s.n_players):
            s.sold[company] += s.shares[player][company]
        s.unsold[company] = 0 if company == s.removed else b.shares[company] - s.sold[company] - s.gone[company]
        n = list_hexes(&s.track[company], hexes)
        for i in range(n):
            occupy(b, s, company, hexes[i])
    for company in range(N_COMPANIES):
        s.income[company] = full_income(b, s, company)

cdef int full_income(const Map* b, const State* s, int company) noexcept nogil:
    """AR-58: the income as the map shows it."""
    cdef int hexes[MAX_HEXES]
    cdef int i, income = 0
    cdef int n = list_hexes(&s.track[company], hexes)
    for i in range(n):
        if has_hex(&b.cities, hexes[i]):
            income += city_value(b, s, hexes[i], s.n_on[hexes[i]])
    for i in range(N_LINKS):
        if has_hex(&s.track[company], b.link[i][0]) and has_hex(&s.track[company], b.link[i][1]):
            income += b.link_bonus[i]
    return income

cdef inline int city_value(const Map* b, const State* s, int hex_, int n_companies) noexcept nogil:
    """AR-52 to AR-55: what the city pays each of the companies there."""
    cdef int house = has_hex(&s.developed, hex_)
    if n_companies > 1:
        return b.shared[hex_] + house * b.shared_bonus
    return b.full[hex_] + house * b.full_bonus

cdef inline void occupy(const Map* b, State* s, int company, int hex_) noexcept nogil:
    """The company stands on the hex: the sets that follow from its track."""
    cdef int i
    add_hex(&s.track[company], hex_)
    add_hex(&s.occupied, hex_)
    s.n_on[hex_] += 1
    if has_hex(&b.exclusive, hex_):
        add_hex(&s.blocked, hex_)
    for i in range(HEX_WORDS):
        s.frontier[company].word[i] |= b.neighbours[hex_].word[i]
        s.frontier[company].word[i] &= ~s.track[company].word[i]

cdef const char* settle(const void* board, void* state) noexcept nogil:
    """A position from outside keeps to the limits of the material; it need not be reachable in play."""
    cdef const Map* b = <const Map*>board
    cdef State* s = <State*>state
    cdef int company, other, player, i, sold
    if not NO_COMPANY <= s.removed < N_COMPANIES or (s.removed != NO_COMPANY and b.n_removed[s.n_players] == 0):
        return b"removed is not a company that could be out of the game (AR-12)"
    for company in range(N_COMPANIES):
        if s.gone[company] < 0:
            return b"gone is negative; expected 0 or more"
        sold = 0
        for player in range(MAX_SEATS):
            if s.shares[player][company] < 0 or (player >= s.n_players and s.shares[player][company] != 0):
                return b"shares are out of range; expected 0 or more, and 0 for a player who does not play"
            sold += s.shares[player][company]
        if sold + s.gone[company] > b.shares[company]:
            return b"more shares are held or gone than the company has"
        if not is_within(&s.track[company], &b.land):
            return b"track outside the board"
        if not 0 <= s.cubes[company] <= b.cubes[company] - count_hexes(&s.track[company]):
            return b"cubes on the board and in supply are more than the company has"
        if company == s.removed and (sold > 0 or s.gone[company] > 0 or s.cubes[company] > 0 or s.treasury[company] > 0
                                     or count_hexes(&s.track[company]) > 0):
            return b"the company out of the game has shares, cubes or money (AR-12)"
        for other in range(company):
            for i in range(HEX_WORDS):
                if s.track[company].word[i] & s.track[other].word[i] & b.exclusive.word[i]:
                    return b"two companies on one forest or mountain (AR-47)"
    if not is_within(&s.developed, &b.developable):
        return b"a house where none can stand (AR-36)"
    if not 0 <= s.houses <= b.houses - count_hexes(&s.developed):
        return b"houses on the board and in supply are more than there are"
    if not REMOVING <= s.decision <= GAME_OVER:
        return b"no such decision"
    if not 0 <= s.year < b.n_years or not 0 <= s.column <= b.columns:
        return b"year or column is out of range"
    if not 0 <= s.waiting_bits < 1 << N_COMPANIES or (s.removed != NO_COMPANY and (s.waiting_bits >> s.removed) & 1):
        return b"waiting names a company that is not in the game"
    if not NOBODY <= s.banker < s.n_players or (s.banker == NOBODY and s.decision > DRAWING_BANKER):
        return b"banker is not a player"
    derive(b, s)
    if not is_solvent(b, s):
        return b"cash or treasury is out of range; expected dollars from 0 to what leaves room for the rest of the game"
    return settle_decision(b, s)

cdef bint is_solvent(const Map* b, const State* s) noexcept nogil:
    """Is all money within bounds, now and however play goes on?"""
    cdef int company, player, years = 0 if s.decision == GAME_OVER else b.n_years - s.year
    for company in range(N_COMPANIES):          # sales and Finance fill it
        if not 0 <= s.treasury[company] <= MAX_TREASURY - s.unsold[company] * MAX_CASH - years * b.columns * b.fund_amount:
            return False
    for player in range(s.n_players):
        if not 0 <= s.cash[player] <= MAX_CASH - years * b.most_yearly:
            return False
    for player in range(s.n_players, MAX_SEATS):
        if s.cash[player] != 0:
            return False
    return True

cdef const char* settle_decision(const Map* b, State* s) noexcept nogil:
    """The decision that is open fits the stage of the game, and what it does not use is blank."""
    cdef const char* fault = settle_order(s)
    cdef int space
    if fault != NULL:
        return fault
    if s.decision != BIDDING:
        memset(&s.auction, 0, sizeof(Auction))
    if s.decision != STARTING:
        s.starting = 0
    if s.decision != EXPANDING:
        s.n_left = 0
    if s.decision == REMOVING:
        if s.removed != NO_COMPANY or b.n_removed[s.n_players] == 0 or s.column != 0:
            return b"no company is to be removed (AR-12)"
        return NULL
    if b.n_removed[s.n_players] != 0 and s.removed == NO_COMPANY:
        return b"no company is removed; expected one (AR-12)"
    if s.decision == DRAWING_BANKER:
        if s.banker != NOBODY or s.column != 0:
            return b"the banker is known; expected none before he is drawn (R-1)"
        return NULL
    if not 0 <= s.turn < s.n_players:
        return b"turn is not a player"
    if s.decision == GAME_OVER:
        return NULL
    if s.column > 0 and s.waiting_bits != 0:
        return b"companies wait for the preparation round, which is over"
    if s.decision == BIDDING:
        if not 0 <= s.auction.company < N_COMPANIES or s.unsold[s.auction.company] == 0:
            return b"the auctioned company has no share to sell"
        if s.auction.minimum != b.min_bid or least_bid(&s.auction) > s.cash[s.auction.speaker]:
            return b"the speaker cannot bid; expected one who can (R-6)"
        return auction_fault(&s.auction, s.cash, s.n_players)
    if s.decision == STARTING:
        if not 0 <= s.starting < N_COMPANIES or s.starting == s.removed or s.cubes[s.starting] == 0 or not has_empty_city(b, s):
            return b"the starting company cannot place its first cube (AR-44)"
        if count_hexes(&s.track[s.starting]) > 0:
            return b"the starting company is on the map already (AR-21)"
        return NULL
    if s.column == 0:
        if s.decision != OFFERING or s.waiting_bits == 0:
            return b"the preparation round asks for a company to put up (AR-16)"
        return NULL
    if s.decision == CHOOSING:
        s.turn = next_in_order(s)
        if s.turn == NOBODY:
            return b"nobody is left to choose a space (AR-31)"
        return NULL
    space = space_of(s, s.turn)
    if s.decision == EXPANDING:
        if space == NOBODY or not 1 <= s.n_left <= b.expand[space] or not can_expand(b, s, s.turn):
            return b"the player on turn cannot be expanding (AR-50)"
        if space == ON_TAKE and not b.may_expand[s.n_players]:
            return b"the player on turn cannot be expanding (AR-40)"
        return NULL
    if (s.decision == OFFERING and (space != ON_AUCTION or not has_unsold(s))
            or s.decision == DEVELOPING and (space != ON_DEVELOP or not has_development(b, s))
            or s.decision == FUNDING and space != ON_FUND or s.decision == TAKING and space != ON_TAKE):
        return b"the player on turn stands on another space, or its action has no option"
    return NULL

cdef const char* settle_order(State* s) noexcept nogil:
    """Each player is in the order at most once and on one space at most."""
    cdef int i, seen = 0, standing = 0, n = 0
    for i in range(MAX_SEATS):
        if not NOBODY <= s.order[i] < s.n_players:
            return b"order names a player who does not play"
        if s.order[i] != NOBODY:
            if (seen >> s.order[i]) & 1 or n < i:
                return b"order names a player twice, or has a gap"
            seen |= 1 << s.order[i]
            n += 1
    if s.column > 0 and n < s.n_players:
        return b"order does not name every player (AR-27)"
    for i in range(N_SPACES):
        if not NOBODY <= s.taken[i] < s.n_players:
            return b"taken names a player who does not play"
        if s.taken[i] != NOBODY:
            if (standing >> s.taken[i]) & 1 or s.column == 0:
                return b"taken names a player twice, or a player in the preparation round"
            standing |= 1 << s.taken[i]
    return NULL

cdef inline int space_of(const State* s, int player) noexcept nogil:
    """The space of this column the player stands on, or NOBODY."""
    cdef int space
    for space in range(N_SPACES):
        if s.taken[space] == player:
            return space
    return NOBODY

# --- legal moves -----------------------------------------------------------------
cdef int to_move(const void* board, const void* state) noexcept nogil:
    cdef const State* s = <const State*>state
    if s.decision == GAME_OVER:
        return OVER
    if s.decision == REMOVING or s.decision == DRAWING_BANKER:
        return CHANCE
    return s.auction.speaker if s.decision == BIDDING else s.turn

cdef int chance(const void* board, const void* state, Move* out, int* weight) noexcept nogil:
    """AR-12, R-1: every outcome is equally likely."""
    cdef int i, n = legal(board, state, out)
    for i in range(n):
        weight[i] = 1
    return n

cdef int legal(const void* board, const void* state, Move* out) noexcept nogil:
    cdef const Map* b = <const Map*>board
    cdef const State* s = <const State*>state
    if s.decision == BIDDING:
        return legal_bids(s, out)
    if s.decision == CHOOSING:
        return legal_spaces(s, out)
    if s.decision == EXPANDING:
        return legal_cubes(b, s, out)
    if s.decision == OFFERING:
        return legal_offers(s, out)
    if s.decision == STARTING:
        return legal_starts(b, s, out)
    if s.decision == DEVELOPING:
        return legal_developments(b, s, out)
    if s.decision == FUNDING:
        return legal_funds(s, out)
    if s.decision == TAKING:
        return legal_takes(b, s, out)
    return legal_outcomes(s, out)

cdef int legal_outcomes(const State* s, Move* out) noexcept nogil:
    """AR-12: the company taken out; R-1: the banker."""
    cdef int i, n = N_COMPANIES if s.decision == REMOVING else s.n_players
    for i in range(n):
        out[i] = pack(DO_REMOVE if s.decision == REMOVING else DO_BANKER, i, 0)
    return n

cdef inline bint is_offerable(const State* s, int company) noexcept nogil:
    """AR-16, AR-23: a company not yet put up; AR-41: later one with an unsold share."""
    if s.column == 0:
        return (s.waiting_bits >> company) & 1
    return s.unsold[company] > 0

cdef int legal_offers(const State* s, Move* out) noexcept nogil:
    """A share to put up; outside the preparation round one may decline (AR-29)."""
    cdef int company, n = 0
    for company in range(N_COMPANIES):
        if is_offerable(s, company):
            out[n] = pack(DO_OFFER, company, 0)
            n += 1
    if s.column > 0:
        out[n] = pack(DO_DECLINE, 0, 0)
        n += 1
    return n

cdef int legal_bids(const State* s, Move* out) noexcept nogil:
    """AR-18, R-25: every whole amount from the least to one's cash, or pass."""
    cdef int amount, n = 0
    for amount in range(least_bid(&s.auction), s.cash[s.auction.speaker] + 1):
        out[n] = pack_amount(DO_BID, amount)
        n += 1
    out[n] = pack(DO_PASS, 0, 0)
    return n + 1

cdef int legal_starts(const Map* b, const State* s, Move* out) noexcept nogil:
    """AR-21: any city without a cube."""
    cdef Hexes free_hexes
    cdef int hexes[MAX_HEXES]
    cdef int i, n
    for i in range(HEX_WORDS):
        free_hexes.word[i] = b.cities.word[i] & ~s.occupied.word[i]
    n = list_hexes(&free_hexes, hexes)
    for i in range(n):
        out[i] = pack(DO_START, hexes[i], 0)
    return n

cdef bint has_empty_city(const Map* b, const State* s) noexcept nogil:
    return not is_within(&b.cities, &s.occupied)

cdef int legal_spaces(const State* s, Move* out) noexcept nogil:
    """AR-27, AR-28: the empty spaces of the column."""
    cdef int space, n = 0
    for space in range(N_SPACES):
        if s.taken[space] == NOBODY:
            out[n] = pack(DO_CHOOSE, space, 0)
            n += 1
    return n

cdef inline void find_developments(const Map* b, const State* s, Hexes* found) noexcept nogil:
    """AR-34, AR-36."""
    cdef int i
    for i in range(HEX_WORDS):
        found.word[i] = s.occupied.word[i] & b.developable.word[i] & ~s.developed.word[i] if s.houses > 0 else 0

cdef bint has_development(const Map* b, const State* s) noexcept nogil:
    cdef Hexes found
    find_developments(b, s, &found)
    return count_hexes(&found) > 0

cdef int legal_developments(const Map* b, const State* s, Move* out) noexcept nogil:
    """AR-34; or decline (AR-29)."""
    cdef Hexes found
    cdef int hexes[MAX_HEXES]
    cdef int i, n
    find_developments(b, s, &found)
    n = list_hexes(&found, hexes)
    for i in range(n):
        out[i] = pack(DO_DEVELOP, hexes[i], 0)
    out[n] = pack(DO_DECLINE, 0, 0)
    return n + 1

cdef int legal_funds(const State* s, Move* out) noexcept nogil:
    """AR-37, R-11, R-12: any company in the game; or decline (AR-29)."""
    cdef int company, n = 0
    for company in range(N_COMPANIES):
        if company != s.removed:
            out[n] = pack(DO_FUND, company, 0)
            n += 1
    out[n] = pack(DO_DECLINE, 0, 0)
    return n + 1

cdef int legal_takes(const Map* b, const State* s, Move* out) noexcept nogil:
    """AR-38 to AR-40; or decline (AR-29)."""
    cdef int n = 2
    out[0] = pack(DO_TAKE, 0, 0)
    out[1] = pack(DO_LEVY, 0, 0)
    if b.may_expand[s.n_players] and can_expand(b, s, s.turn):
        out[n] = pack(DO_EXPAND, 0, 0)
        n += 1
    out[n] = pack(DO_DECLINE, 0, 0)
    return n + 1

cdef bint has_unsold(const State* s) noexcept nogil:
    cdef int company
    for company in range(N_COMPANIES):
        if s.unsold[company] > 0:
            return True
    return False

cdef inline int placing_cost(const Map* b, const State* s, int hex_) noexcept nogil:
    """AR-48, R-10."""
    return (b.base_cost[hex_] + b.cube_cost[hex_] * s.n_on[hex_]
            + (b.house_cost[hex_] if has_hex(&s.developed, hex_) else 0))

cdef inline bint may_place(const Map* b, const State* s, int player, int company) noexcept nogil:
    """AR-46, AR-51: a share, a cube, and money for the cheapest hex."""
    return s.shares[player][company] > 0 and s.cubes[company] > 0 and s.treasury[company] >= b.least_cost

cdef int list_placements(const Map* b, const State* s, int company, int* out) noexcept nogil:
    """AR-46, AR-47, AR-49: the hexes where the company's treasury can pay for a cube now."""
    cdef Hexes free_hexes
    cdef int hexes[MAX_HEXES]
    cdef int i, n, found = 0
    for i in range(HEX_WORDS):
        free_hexes.word[i] = s.frontier[company].word[i] & ~s.blocked.word[i]
    n = list_hexes(&free_hexes, hexes)
    for i in range(n):
        out[found] = hexes[i]
        found += placing_cost(b, s, hexes[i]) <= s.treasury[company]
    return found

cdef bint can_expand(const Map* b, const State* s, int player) noexcept nogil:
    cdef int hexes[MAX_HEXES]
    cdef int company
    for company in range(N_COMPANIES):
        if may_place(b, s, player, company) and list_placements(b, s, company, hexes) > 0:
            return True
    return False

cdef int legal_cubes(const Map* b, const State* s, Move* out) noexcept nogil:
    """AR-46 to AR-51: a cube of any company one holds a share of; or stop (AR-50)."""
    cdef int hexes[MAX_HEXES]
    cdef int company, i, found, n = 0
    for company in range(N_COMPANIES):
        if may_place(b, s, s.turn, company):
            found = list_placements(b, s, company, hexes)
            for i in range(found):
                out[n] = pack(DO_PLACE, company, hexes[i])
                n += 1
    out[n] = pack(DO_STOP, 0, 0)
    return n + 1

# --- apply -----------------------------------------------------------------------
cdef void apply(const void* board, void* state, Move move) noexcept nogil:
    cdef const Map* b = <const Map*>board
    cdef State* s = <State*>state
    cdef int kind = move_kind(move)
    if kind == DO_BID:
        make_bid(&s.auction, move_amount(move), s.n_players)
        go_on_bidding(b, s)
    elif kind == DO_PASS:
        pass_bid(&s.auction, s.n_players)
        go_on_bidding(b, s)
    elif kind == DO_CHOOSE:
        choose(b, s, move_a(move))
    elif kind == DO_PLACE:
        place(b, s, move_a(move), move_b(move))
    elif kind == DO_OFFER:
        offer(b, s, move_a(move))
    elif kind == DO_START:
        place_first(b, s, move_a(move))
    elif kind == DO_DEVELOP:
        develop(b, s, move_a(move))
    elif kind == DO_FUND:
        s.treasury[move_a(move)] += b.fund_amount           # AR-37
        end_turn(b, s)
    elif kind == DO_TAKE:
        s.cash[s.turn] += b.take_amount                     # AR-38
        end_turn(b, s)
    elif kind == DO_LEVY:
        levy(b, s)
    elif kind == DO_EXPAND:
        begin_expand(b, s, ON_TAKE)
    elif kind == DO_REMOVE:
        remove_company(b, s, move_a(move))
    elif kind == DO_BANKER:
        s.banker = move_a(move)
        begin_preparation(b, s)
    else:                                                   # AR-29: stop or decline, the marker stays
        end_turn(b, s)

cdef void remove_company(const Map* b, State* s, int company) noexcept nogil:
    """AR-12: its cubes and shares are not used at all."""
    s.removed = company
    s.waiting_bits &= ~(1 << company)
    s.cubes[company] = s.unsold[company] = 0
    begin_preparation(b, s)

cdef void begin_preparation(const Map* b, State* s) noexcept nogil:
    """AR-16: the banker picks the first company; R-1: unless he is still to be drawn."""
    if s.banker == NOBODY:
        s.decision = DRAWING_BANKER
    else:
        go_on_preparing(b, s, s.banker)

cdef void go_on_preparing(const Map* b, State* s, int chooser) noexcept nogil:
    """AR-23, AR-24: `chooser` puts the next company up; AR-25: or the preparation round is over."""
    cdef int i, player
    s.turn = chooser
    s.decision = OFFERING
    if s.waiting_bits == 0:
        for i in range(s.n_players):
            player = (s.banker + i) % s.n_players
            join_track(s, player)
        begin_column(s, 1)

cdef void join_track(State* s, int player) noexcept nogil:
    """AR-22: the lowest free place, unless the player has one."""
    cdef int i
    for i in range(s.n_players):
        if s.order[i] == player:
            return
        if s.order[i] == NOBODY:
            s.order[i] = player
            return

cdef void offer(const Map* b, State* s, int company) noexcept nogil:
    """AR-16, AR-41: a share is put up; AR-17, R-27: who put it up speaks first."""
    s.waiting_bits &= ~(1 << company)
    s.decision = BIDDING
    open_auction(&s.auction, company, s.turn, b.min_bid, s.n_players)
    go_on_bidding(b, s)

cdef void go_on_bidding(const Map* b, State* s) noexcept nogil:
    """R-6: who cannot raise passes by himself; AR-17: until all but the high bidder have passed."""
    while not is_settled(&s.auction) and s.cash[s.auction.speaker] < least_bid(&s.auction):
        pass_bid(&s.auction, s.n_players)
    if is_settled(&s.auction):
        end_auction(b, s)

cdef void end_auction(const Map* b, State* s) noexcept nogil:
    """AR-19, AR-20, AR-42 to AR-45."""
    cdef Auction a = s.auction
    memset(&s.auction, 0, sizeof(Auction))
    s.unsold[a.company] -= 1
    if a.bidder == NOBODY:                                  # AR-19, AR-43: out of the game
        s.gone[a.company] += 1
        after_auction(b, s, a.speaker, False)               # AR-24: the last player who passed
        return
    s.cash[a.bidder] -= a.bid                               # AR-20: the price goes into the treasury
    s.treasury[a.company] += a.bid
    if count_hexes(&s.track[a.company]) > 0:
        award(s, a.company, a.bidder)
        after_auction(b, s, a.bidder, True)
    elif has_empty_city(b, s):                              # AR-21, AR-44: the buyer places the first cube
        award(s, a.company, a.bidder)
        s.turn = a.bidder
        s.starting = a.company
        s.decision = STARTING
    else:                                                   # AR-45, R-14: the price stays in the treasury
        s.gone[a.company] += 1 + s.unsold[a.company]
        s.unsold[a.company] = 0
        after_auction(b, s, a.bidder, True)

cdef void award(State* s, int company, int buyer) noexcept nogil:
    s.shares[buyer][company] += 1
    s.sold[company] += 1

cdef void place_first(const Map* b, State* s, int hex_) noexcept nogil:
    """AR-21, R-28: free of charge, in a city without cubes."""
    cdef int company = s.starting
    s.starting = 0
    arrive(b, s, company, hex_)
    after_auction(b, s, s.turn, True)

cdef void after_auction(const Map* b, State* s, int player, bint sold) noexcept nogil:
    """AR-22 to AR-24 in the preparation round; AR-42: later the next player chooses."""
    if s.column > 0:
        end_turn(b, s)
        return
    if sold:
        join_track(s, player)
    go_on_preparing(b, s, player)

cdef void begin_column(State* s, int column) noexcept nogil:
    """AR-27, AR-31: the order is set."""
    cdef int space
    s.column = column
    for space in range(N_SPACES):
        s.taken[space] = NOBODY
    s.turn = s.order[0]
    s.decision = CHOOSING

cdef void choose(const Map* b, State* s, int space) noexcept nogil:
    """AR-27 to AR-30: the marker goes to the space; an action without any option does nothing."""
    s.taken[space] = s.turn
    if space == ON_FUND:
        s.decision = FUNDING
    elif space == ON_TAKE:
        s.decision = TAKING
    elif space == ON_EXPAND_3 or space == ON_EXPAND_4:
        begin_expand(b, s, space)
    elif space == ON_AUCTION and has_unsold(s):
        s.decision = OFFERING
    elif space == ON_DEVELOP and has_development(b, s):
        s.decision = DEVELOPING
    else:
        end_turn(b, s)

cdef inline int next_in_order(const State* s) noexcept nogil:
    """The first player of the column who stands on no space yet, or NOBODY."""
    cdef int i, space, standing = 0
    for space in range(N_SPACES):
        if s.taken[space] != NOBODY:
            standing |= 1 << s.taken[space]
    for i in range(s.n_players):
        if not (standing >> s.order[i]) & 1:
            return s.order[i]
    return NOBODY

cdef void end_turn(const Map* b, State* s) noexcept nogil:
    """The next player of the column chooses; after the last one comes the next column, or the dividend phase."""
    cdef int player = next_in_order(s)
    s.n_left = 0
    if player != NOBODY:
        s.turn = player
        s.decision = CHOOSING
    elif s.column < b.columns:
        take_order(s)
        begin_column(s, s.column + 1)                       # AR-31
    else:
        hold_dividend(b, s)
        if is_at_end(b, s):
            s.decision = GAME_OVER
        else:                                               # AR-32
            s.year += 1
            take_order(s)
            begin_column(s, 1)

cdef void take_order(State* s) noexcept nogil:
    """AR-31, AR-32: from top to bottom."""
    cdef int space, n = 0
    for space in range(N_SPACES):
        if s.taken[space] != NOBODY:
            s.order[n] = s.taken[space]
            n += 1

cdef void develop(const Map* b, State* s, int hex_) noexcept nogil:
    """AR-34, AR-35: a house, worth more to a company that is alone there."""
    cdef int company
    s.houses -= 1
    add_hex(&s.developed, hex_)
    for company in range(N_COMPANIES):
        if has_hex(&s.track[company], hex_):
            s.income[company] += b.full_bonus if s.n_on[hex_] == 1 else b.shared_bonus
    end_turn(b, s)

cdef void levy(const Map* b, State* s) noexcept nogil:
    """AR-39, R-8, R-9: to the bank, at most what a player has."""
    cdef int player
    for player in range(s.n_players):
        if player != s.turn:
            s.cash[player] -= b.take_amount if s.cash[player] >= b.take_amount else s.cash[player]
    end_turn(b, s)

cdef void begin_expand(const Map* b, State* s, int space) noexcept nogil:
    """AR-50: so many cubes, one decision each."""
    s.decision = EXPANDING
    s.n_left = b.expand[space]
    if not can_expand(b, s, s.turn):
        end_turn(b, s)

cdef void place(const Map* b, State* s, int company, int hex_) noexcept nogil:
    """AR-49, AR-50: the treasury pays the bank; it ends when no cube is left or none can be paid."""
    s.treasury[company] -= placing_cost(b, s, hex_)
    arrive(b, s, company, hex_)
    s.n_left -= 1
    if s.n_left == 0 or not can_expand(b, s, s.turn):
        end_turn(b, s)

cdef void arrive(const Map* b, State* s, int company, int hex_) noexcept nogil:
    """AR-52 to AR-57: a cube from the supply, and what it does to the incomes."""
    cdef int other, i, n = s.n_on[hex_]
    s.cubes[company] -= 1
    if has_hex(&b.cities, hex_):
        s.income[company] += city_value(b, s, hex_, n + 1)
        if n == 1:                                          # AR-53: who was alone there shares now
            for other in range(N_COMPANIES):
                if has_hex(&s.track[other], hex_):
                    s.income[other] += city_value(b, s, hex_, 2) - city_value(b, s, hex_, 1)
        for i in range(N_LINKS):
            if (b.link_bits[hex_] >> i) & 1:
                if has_hex(&s.track[company], b.link[i][0] if b.link[i][1] == hex_ else b.link[i][1]):
                    s.income[company] += b.link_bonus[i]
    occupy(b, s, company, hex_)

cdef void hold_dividend(const Map* b, State* s) noexcept nogil:
    """AR-59, AR-60: income over the shares that players own, rounded up."""
    cdef int company, player
    for company in range(N_COMPANIES):
        s.dividend[company] = NO_DIVIDEND
        if s.sold[company] > 0:
            s.dividend[company] = dividend_per_share(s.income[company], s.sold[company])
            for player in range(s.n_players):
                s.cash[player] += s.shares[player][company] * s.dividend[company]

# --- end and score ---------------------------------------------------------------
cdef bint is_at_end(const Map* b, const State* s) noexcept nogil:
    """AR-62 to AR-64; looked at only after a dividend phase (AR-61)."""
    return s.year == b.last_year or not has_unsold(s) or n_low_supplies(b, s) >= b.low_supplies[s.n_players]

cdef int n_low_supplies(const Map* b, const State* s) noexcept nogil:
    """AR-64, R-15, R-16: the cubes of every company in the game, and the houses."""
    cdef int company, n = s.houses <= b.low_supply
    for company in range(N_COMPANIES):
        n += company != s.removed and s.cubes[company] <= b.low_supply
    return n

cdef void scores(const void* board, const void* state, int* score) noexcept nogil:
    """AR-65: only cash counts."""
    cdef const State* s = <const State*>state
    cdef int player
    for player in range(s.n_players):
        score[player] = s.cash[player]

# --- judgement -------------------------------------------------------------------
include "american_rails.pxi"

# --- notation --------------------------------------------------------------------
cdef State* AT = NULL
cdef Field[26] FIELDS
FIELDS[:] = [
    field(b"cash", &AT.cash, 4, MAX_SEATS),
    field(b"treasury", &AT.treasury, 4, N_COMPANIES),
    field(b"track", &AT.track, 8, N_COMPANIES * HEX_WORDS),
    field(b"developed", &AT.developed, 8, HEX_WORDS),
    field(b"shares", &AT.shares, 1, MAX_SEATS * N_COMPANIES),
    field(b"gone", &AT.gone, 1, N_COMPANIES),
    field(b"cubes", &AT.cubes, 1, N_COMPANIES),
    field(b"houses", &AT.houses, 1, 1),
    field(b"removed", &AT.removed, 1, 1),
    field(b"banker", &AT.banker, 1, 1),
    field(b"decision", &AT.decision, 1, 1),
    field(b"turn", &AT.turn, 1, 1),
    field(b"year", &AT.year, 1, 1),
    field(b"column", &AT.column, 1, 1),
    field(b"order", &AT.order, 1, MAX_SEATS),
    field(b"taken", &AT.taken, 1, N_SPACES),
    field(b"waiting", &AT.waiting_bits, 1, 1),
    field(b"starting", &AT.starting, 1, 1),
    field(b"left", &AT.n_left, 1, 1),
    field(b"bids", &AT.auction.bid, 2, 2),              # the standing bid and the minimum
    field(b"auction", &AT.auction.company, 1, 5),       # company, opener, speaker, bidder, who is still in
    field(b"paid", &AT.dividend, 2, N_COMPANIES),       # per share, at the last dividend
    field(b"income", &AT.income, 2, N_COMPANIES, True),
    field(b"sold", &AT.sold, 1, N_COMPANIES, True),
    field(b"unsold", &AT.unsold, 1, N_COMPANIES, True),
    field(NULL, NULL, 0, 0),
]

cdef GameOps OPS = GameOps(
    name=b"american-rails", state_size=sizeof(State), key_size=<size_t>&AT.income, fields=&FIELDS[0],
    start=start, settle=settle, to_move=to_move, legal=legal, chance=chance, accepts=NULL, apply=apply,
    scores=scores, tiebreak=NULL, view=NULL, determinize=NULL,
    evaluate=evaluate, candidates=candidates, priors=priors, advance=advance)

def share_report(Position position not None, const float[::1] weights not None) -> dict:
    """In an auction: the figures behind what the share is worth to each player, and the sale that is expected."""
    cdef const State* s = <const State*>position.state
    cdef const Map* b = <const Map*>position.board.data
    cdef const Weights* w = <const Weights*>&weights[0]
    cdef Outlook o
    cdef Appraisal look
    cdef int price = 0, p, winner
    if position.ops != &OPS or s.decision != BIDDING:
        raise ValueError("no share is under the hammer; expected an auction of American Rails")
    look_ahead(b, s, w, &o)
    appraise(b, s, w, &o, &s.auction, &look)
    winner = predict(s, &s.auction, look.value, &price)
    return {
        "rounds": o.rounds, "income": o.income[s.auction.company], "shares": look.shares, "future": look.future,
        "denial": w.denial, "control": w.control * o.rounds, "price_of_cash": price_of_cash(w, &o), "winner": winner, "price": price,
        "budget": look.budget, "values": [look.value[p] for p in range(s.n_players)],
        "alone": [look.alone[p] for p in range(s.n_players)],
    }

def rounds_to_come(Position position not None, const float[::1] weights not None) -> float:
    """Dividends still to come."""
    if position.ops != &OPS:
        raise ValueError("expected a position of American Rails")
    return rounds_left(<const Map*>position.board.data, <const State*>position.state, <const Weights*>&weights[0])

def gains(Position position not None, moves, const float[::1] weights not None) -> list[float]:
    """What each of these moves of a turn is worth to the player on turn, in dollars at the end."""
    cdef const State* s = <const State*>position.state
    cdef const Map* b = <const Map*>position.board.data
    cdef const Weights* w = <const Weights*>&weights[0]
    cdef Outlook o
    cdef Plan plan
    if position.ops != &OPS or s.decision in (REMOVING, DRAWING_BANKER, BIDDING, GAME_OVER):
        raise ValueError("no decision of a turn here; expected one of American Rails")
    look_ahead(b, s, w, &o)
    plan.is_made = False
    return [move_gain(b, s, w, &o, &plan, <Move>move) for move in moves]

def weight_names() -> tuple[str, ...]:
    cdef Weights weights
    memset(&weights, 0, sizeof(Weights))
    return tuple(<object>weights)

def make_board(figures: dict) -> Board:
    """The board of these figures. They have been checked; what the core relies on is asserted once more."""
    cdef Board board = new_board(&OPS, sizeof(Map), MIN_SEATS, MAX_SEATS)
    cdef Map* b = <Map*>board.data
    cdef int hex_, other, company, i, end
    b.n_hexes = len(figures["terrain"])
    assert 0 < b.n_hexes <= MAX_HEXES
    for hex_ in range(b.n_hexes):
        b.terrain[hex_] = figures["terrain"][hex_]
        assert PLAINS <= b.terrain[hex_] <= CITY
        b.base_cost[hex_] = figures["base_cost"][hex_]
        b.cube_cost[hex_] = figures["cube_cost"][hex_]
        b.house_cost[hex_] = figures["house_cost"][hex_]
        b.full[hex_] = figures["full"][hex_]
        b.shared[hex_] = figures["shared"][hex_]
        add_hex(&b.land, hex_)
        if b.terrain[hex_] == CITY:
            add_hex(&b.cities, hex_)
        if figures["exclusive"][hex_]:
            add_hex(&b.exclusive, hex_)
        if figures["developable"][hex_]:
            assert b.terrain[hex_] == CITY
            add_hex(&b.developable, hex_)
        for other in figures["neighbours"][hex_]:
            assert 0 <= other < b.n_hexes
            add_hex(&b.neighbours[hex_], other)
    b.n_cities = len(figures["cities"])
    assert b.n_cities <= MAX_CITIES
    memset(b.way, FAR, sizeof(b.way))
    for i in range(b.n_cities):
        b.city[i] = figures["cities"][i]
        for hex_ in range(b.n_hexes):
            b.way[hex_][i] = min(figures["ways"][i][hex_], FAR)
    assert len(figures["links"]) == N_LINKS
    for i in range(N_LINKS):
        b.link_bonus[i] = figures["link_bonus"][i]
        for end in range(2):
            hex_ = b.link[i][end] = figures["links"][i][end]
            assert 0 <= hex_ < b.n_hexes and b.terrain[hex_] == CITY
            b.link_bits[hex_] |= 1 << i
    for company in range(N_COMPANIES):
        b.cubes[company] = figures["cubes"][company]
        b.shares[company] = figures["shares"][company]
        assert b.cubes[company] > 0 and b.shares[company] > 0
    b.houses, b.full_bonus, b.shared_bonus = figures["houses"], figures["full_bonus"], figures["shared_bonus"]
    b.columns, b.n_years, b.last_year = figures["columns"], figures["n_years"], figures["last_year"]
    assert 0 <= b.last_year < b.n_years <= MAX_YEARS
    b.min_bid, b.fund_amount, b.take_amount = figures["min_bid"], figures["fund_amount"], figures["take_amount"]
    assert b.min_bid > 0
    for i in range(N_SPACES):
        b.expand[i] = figures["expand"][i]
    for i in range(MIN_SEATS, MAX_SEATS + 1):
        b.may_expand[i] = figures["may_expand"][i]
        b.starting_cash[i] = figures["starting_cash"][i]
        b.n_removed[i] = figures["n_removed"][i]
        b.low_supplies[i] = figures["low_supplies"][i]
    b.low_supply, b.least_cost = figures["low_supply"], min(figures["base_cost"])
    b.most_yearly = figures["most_yearly"]
    assert b.n_years * b.most_yearly + max(b.starting_cash) <= MAX_CASH     # so the list of bids never outgrows MAX_MOVES
    return board
