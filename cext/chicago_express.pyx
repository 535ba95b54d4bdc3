"""Chicago Express: states, moves, effects (rules CE-1 to CE-104)."""
from libc.math cimport expf
from libc.string cimport memset
from railwright.cext cimport rng as random
from railwright.cext.auction cimport (
    NOBODY, Auction, auction_fault, dividend_per_share, is_settled, least_bid, make_bid, open_auction, pass_bid)
from railwright.cext.game cimport (
    BY_BOARD, MAX_CASH, OVER, Board, Field, GameOps, Move, Position, field, move_a, move_amount, move_b, move_kind,
    new_board, pack, pack_amount)
from railwright.cext.hexes cimport (
    HEX_WORDS, MAX_HEXES, Hexes, add_hex, add_hexes, count_hexes, has_hex, is_within, list_hexes)
from railwright.cext.rng cimport Rng

# --- state -----------------------------------------------------------------------
cdef void start(const void* board, int n_players, const int* options, void* state) noexcept nogil:
    """CE-10 to CE-13: money, start locomotives, and the first opening auction."""
    cdef const Map* b = <const Map*>board
    cdef State* s = <State*>state
    cdef int company, player, i
    cdef int opener = 0 if options[OPTION_OPENER] == BY_BOARD else options[OPTION_OPENER]
    memset(s, 0, sizeof(State))
    s.n_players = n_players
    for player in range(n_players):
        s.cash[player] = b.starting_cash[n_players]
    for i in range(N_INDUSTRIES):
        s.industry[i] = b.industry_start[i]
    s.houses = b.houses
    for company in range(N_COMPANIES):
        if company != b.late:
            add_hex(&s.track[company], b.start_hex[company])
    derive(b, s)
    s.turn = opener
    open_share(b, s, OPENING, b.opening[0], opener)

cdef int hex_value(const Map* b, const State* s, int hex_) noexcept nogil:
    """CE-59: what the hex is worth now to each company on it."""
    cdef int i = b.industry[hex_]
    if i != NO_HEX:
        return b.industry_value[i][s.industry[i]]
    return b.income[hex_] + (b.development[hex_] if has_hex(&s.developed, hex_) else 0)

cdef void derive(const Map* b, State* s) noexcept nogil:
    """Works out everything that is kept up to date in play from what is given (CE-6 for the incomes)."""
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
        n = list_hexes(&s.track[company], hexes)
        s.locomotives[company] = b.locomotives[company] - n
        s.income[company] = b.start_income[company]
        s.near[company] = FAR
        for i in range(n):
            occupy(b, s, company, hexes[i])
            if b.terrain[hexes[i]] != START:
                s.income[company] += hex_value(b, s, hexes[i])

cdef void occupy(const Map* b, State* s, int company, int hex_) noexcept nogil:
    """The company stands on the hex: the sets that follow from its track."""
    cdef int i
    add_hex(&s.track[company], hex_)
    add_hex(&s.occupied, hex_)
    s.n_on[hex_] += 1
    s.near[company] = min(s.near[company], <int8_t>b.distance[hex_])
    if has_hex(&b.exclusive, hex_):
        add_hex(&s.blocked, hex_)
    for i in range(HEX_WORDS):
        s.frontier[company].word[i] |= b.neighbours[hex_].word[i] & b.buildable.word[i]
        s.frontier[company].word[i] &= ~s.track[company].word[i]

cdef const char* settle(const void* board, void* state) noexcept nogil:
    """A position from outside keeps to the limits of the material; it need not be reachable in play."""
    cdef const Map* b = <const Map*>board
    cdef State* s = <State*>state
    cdef int hexes[MAX_HEXES]
    cdef int company, other, player, i, n, red = 0, sold
    for company in range(N_COMPANIES):
        sold = 0
        for player in range(s.n_players):
            if s.shares[player][company] < 0:
                return b"shares are negative; expected 0 or more"
            sold += s.shares[player][company]
        for player in range(s.n_players, MAX_PLAYERS):
            if s.shares[player][company] != 0:
                return b"shares of a player who does not play; expected 0"
        if sold > b.shares[company]:
            return b"more shares are held than the company has"
        if company == b.late and not s.founded and (sold > 0 or count_hexes(&s.track[company]) > 0):
            return b"a company that is not founded has shares or track; expected none (CE-12)"
        if not is_within(&s.track[company], &b.land):
            return b"track outside the board"
        n = list_hexes(&s.track[company], hexes)
        if n > b.locomotives[company]:
            return b"more locomotives on the board than the company has"
        if n == 0 and (company != b.late or s.founded):
            return b"a company in play has no track; expected its start hex"
        for i in range(n):
            if b.terrain[hexes[i]] == START and hexes[i] != b.start_hex[company]:
                return b"track on the start hex of another company (CE-53)"
        if n > 0 and not is_linked(b, &s.track[company], b.start_hex[company]):
            return b"track is not linked to the company's start hex (CE-52)"
        for other in range(company):
            for i in range(HEX_WORDS):
                if s.track[company].word[i] & s.track[other].word[i] & b.exclusive.word[i]:
                    return b"two companies on one forest or mountain (CE-54)"
    if s.founded not in (0, 1) or s.to_chicago not in (0, 1):
        return b"founded and to_chicago are 0 or 1"
    if not is_within(&s.developed, &b.with_house):
        return b"a house where none can stand (CE-72)"
    if not 0 <= s.houses <= b.houses:
        return b"houses are out of range"
    for i in range(N_INDUSTRIES):
        if not 0 <= s.industry[i] < b.industry_spaces[i]:
            return b"an industry marker is not on its track"
    for i in range(N_DIALS):
        if not 0 <= s.dial[i] <= b.dial_steps[i]:
            return b"a dial stands past red"
        red += s.dial[i] == b.dial_steps[i]
    if not BIDDING <= s.decision <= GAME_OVER:
        return b"no such decision"
    if red >= N_DIALS or (s.decision == CHOOSING_DIAL and red >= DIALS_FOR_DIVIDEND):
        return b"two dials on red at a turn's start; expected the dividend to have been held (CE-30)"
    if not 0 <= s.turn < s.n_players:
        return b"turn is not a player"
    if not 0 <= s.building < N_COMPANIES or not 0 <= s.n_placed < b.max_build:
        return b"building or n_placed is out of range"
    if s.decision == PLACING and s.shares[s.turn][s.building] == 0:
        return b"the player on turn holds no share of the company that builds (CE-50)"
    if s.decision == PLACING and s.to_chicago and (s.n_placed == 0 or not has_hex(&s.track[s.building], b.chicago)):
        return b"the building company has placed no locomotive in Chicago (CE-60)"
    if not OPENING <= s.purpose <= FOUNDING or not 0 <= s.n_opened <= b.n_openings:
        return b"purpose or n_opened is out of range"
    if not 0 <= s.n_dividends <= s.industry[b.detroit] + (s.decision == GAME_OVER):
        return b"more dividends were held than Detroit has advanced (CE-94)"
    if s.decision != BIDDING:
        memset(&s.auction, 0, sizeof(Auction))
    if s.decision != PLACING:
        s.n_placed = s.to_chicago = s.building = 0
    derive(b, s)
    if not is_solvent(b, s):
        return b"cash or treasury is out of range; expected dollars from 0 to what leaves room for the rest of the game"
    if s.decision == PLACING and not has_placement(b, s, s.building) and s.n_placed == 0:
        return b"the building company has nowhere to build"
    if s.decision == BIDDING:
        return settle_auction(b, s)
    return NULL

cdef bint is_solvent(const Map* b, const State* s) noexcept nogil:
    """Is all money within bounds, now and however play goes on?"""
    cdef int company, player, to_come
    for company in range(N_COMPANIES):          # sales and forests fill it
        to_come = (b.shares[company] - s.sold[company]) * MAX_CASH + s.houses * b.forest_cash
        if not 0 <= s.treasury[company] <= MAX_TREASURY - to_come:
            return False
    to_come = dividends_to_come(b, s)
    for player in range(s.n_players):
        if not 0 <= s.cash[player] <= MAX_CASH - to_come:
            return False
    for player in range(s.n_players, MAX_PLAYERS):
        if s.cash[player] != 0:
            return False
    return True

cdef int dividends_to_come(const Map* b, const State* s) noexcept nogil:
    """At least what one player could still be paid: all dividends until Detroit ends the game, and those in Chicago."""
    cdef int company, total = 0
    cdef int general = max(b.end_detroit - s.industry[b.detroit], 0) + 1
    if s.decision == GAME_OVER:
        return 0
    for company in range(N_COMPANIES):
        total += general * b.most_dividend[company]
        if not has_hex(&s.track[company], b.chicago) or (s.to_chicago and company == s.building):
            total += b.most_dividend[company]
    return total

cdef const char* settle_auction(const Map* b, State* s) noexcept nogil:
    cdef const Auction* a = &s.auction
    cdef int i
    if not 0 <= a.company < N_COMPANIES or s.sold[a.company] >= b.shares[a.company]:
        return b"the auctioned company has no share to sell"
    if a.company == b.late and not s.founded:
        return b"the auctioned company is not founded (CE-41)"
    if s.purpose == OPENING and (s.n_opened < 1 or b.opening[s.n_opened - 1] != a.company):
        return b"the auctioned company is not the next of the opening auctions (CE-13)"
    if s.purpose == OPENING:
        for i in range(s.n_opened, b.n_openings):
            if s.sold[b.opening[i]] >= b.shares[b.opening[i]]:
                return b"a later opening auction has no share to sell (CE-13)"
    if a.minimum > MAX_CASH:
        return b"the minimum bid is out of range"
    return auction_fault(a, s.cash, s.n_players)

cdef bint is_linked(const Map* b, const Hexes* track, int from_hex) noexcept nogil:
    """Do all hexes of the track hang together with `from_hex`?"""
    cdef Hexes seen, todo
    cdef int hexes[MAX_HEXES]
    cdef int i, n
    if not has_hex(track, from_hex):
        return False
    memset(&seen, 0, sizeof(Hexes))
    memset(&todo, 0, sizeof(Hexes))
    add_hex(&todo, from_hex)
    while count_hexes(&todo) > 0:
        n = list_hexes(&todo, hexes)
        add_hexes(&seen, &todo)
        for i in range(n):
            add_hexes(&todo, &b.neighbours[hexes[i]])
        for i in range(HEX_WORDS):
            todo.word[i] &= track.word[i] & ~seen.word[i]
    return is_within(track, &seen)

# --- legal moves -----------------------------------------------------------------
cdef int to_move(const void* board, const void* state) noexcept nogil:
    cdef const State* s = <const State*>state
    if s.decision == GAME_OVER:
        return OVER
    return s.auction.speaker if s.decision == BIDDING else s.turn

cdef int legal(const void* board, const void* state, Move* out) noexcept nogil:
    cdef const Map* b = <const Map*>board
    cdef const State* s = <const State*>state
    if s.decision == BIDDING:
        return legal_bids(s, out)
    if s.decision == CHOOSING_DIAL:
        return legal_dials(b, s, out)
    if s.decision == OFFERING:
        return legal_offers(b, s, out)
    if s.decision == CHOOSING_COMPANY:
        return legal_companies(b, s, out)
    if s.decision == PLACING:
        return legal_places(b, s, out)
    return legal_developments(b, s, out)

cdef int legal_bids(const State* s, Move* out) noexcept nogil:
    """CE-20 to CE-23: every whole amount from the least to one's cash, or pass."""
    cdef int amount, n = 0
    for amount in range(least_bid(&s.auction), s.cash[s.auction.speaker] + 1):
        out[n] = pack_amount(DO_BID, amount)
        n += 1
    out[n] = pack(DO_PASS, 0, 0)
    return n + 1

cdef int legal_dials(const Map* b, const State* s, Move* out) noexcept nogil:
    """CE-31: the dials that are not on red."""
    cdef int dial, n = 0
    for dial in range(N_DIALS):
        if s.dial[dial] < b.dial_steps[dial]:
            out[n] = pack(DO_DIAL, dial, 0)
            n += 1
    return n

cdef inline bint is_offerable(const Map* b, const State* s, int company) noexcept nogil:
    """CE-40, CE-41."""
    return s.sold[company] < b.shares[company] and (company != b.late or s.founded)

cdef int legal_offers(const Map* b, const State* s, Move* out) noexcept nogil:
    cdef int company, n = 0
    for company in range(N_COMPANIES):
        if is_offerable(b, s, company):
            out[n] = pack(DO_OFFER, company, 0)
            n += 1
    out[n] = pack(DO_DECLINE, 0, 0)     # CE-32
    return n + 1

cdef inline int placing_cost(const Map* b, const State* s, int hex_) noexcept nogil:
    """CE-56: the printed cost for each locomotive on the hex, the new one included."""
    return b.cost[hex_] * (s.n_on[hex_] + 1)

cdef int list_placements(const Map* b, const State* s, int company, int* out) noexcept nogil:
    """CE-52 to CE-58: the hexes where the company may place a locomotive now."""
    cdef Hexes free_hexes
    cdef int hexes[MAX_HEXES]
    cdef int i, n, found = 0
    if s.locomotives[company] == 0:         # CE-58
        return 0
    for i in range(HEX_WORDS):
        free_hexes.word[i] = s.frontier[company].word[i] & ~s.blocked.word[i]
    n = list_hexes(&free_hexes, hexes)
    for i in range(n):
        if placing_cost(b, s, hexes[i]) <= s.treasury[company]:     # CE-57
            out[found] = hexes[i]
            found += 1
    return found

cdef bint has_placement(const Map* b, const State* s, int company) noexcept nogil:
    """The same, answered by the first such hex."""
    cdef Hexes free_hexes
    cdef int hexes[MAX_HEXES]
    cdef int i, n
    if s.locomotives[company] == 0:
        return False
    for i in range(HEX_WORDS):
        free_hexes.word[i] = s.frontier[company].word[i] & ~s.blocked.word[i]
    n = list_hexes(&free_hexes, hexes)
    for i in range(n):
        if placing_cost(b, s, hexes[i]) <= s.treasury[company]:
            return True
    return False

cdef int legal_companies(const Map* b, const State* s, Move* out) noexcept nogil:
    """CE-50: a company of which one holds a share and that can build; or let the action lapse (CE-32)."""
    cdef int company, n = 0
    for company in range(N_COMPANIES):
        if s.shares[s.turn][company] > 0 and has_placement(b, s, company):
            out[n] = pack(DO_COMPANY, company, 0)
            n += 1
    out[n] = pack(DO_DECLINE, 0, 0)
    return n + 1

cdef int legal_places(const Map* b, const State* s, Move* out) noexcept nogil:
    """CE-51: another locomotive, or stop after the first."""
    cdef int hexes[MAX_HEXES]
    cdef int i, n = list_placements(b, s, s.building, hexes)
    for i in range(n):
        out[i] = pack(DO_PLACE, s.building, hexes[i])
    if s.n_placed > 0:
        out[n] = pack(DO_STOP, 0, 0)
        n += 1
    return n

cdef int legal_developments(const Map* b, const State* s, Move* out) noexcept nogil:
    """CE-70 to CE-78: any developable hex with a locomotive; or let the action lapse (CE-32)."""
    cdef Hexes free_hexes
    cdef int hexes[MAX_HEXES]
    cdef int i, n, hex_
    memset(&free_hexes, 0, sizeof(Hexes))
    if s.houses > 0:                        # CE-77
        for i in range(HEX_WORDS):
            free_hexes.word[i] = s.occupied.word[i] & b.with_house.word[i] & ~s.developed.word[i]
    for i in range(N_INDUSTRIES):           # CE-75, CE-76; Detroit advances by itself (CE-72)
        hex_ = b.industry_hex[i]
        if i != b.detroit and has_hex(&s.occupied, hex_) and s.industry[i] + 1 < b.industry_spaces[i]:
            add_hex(&free_hexes, hex_)
    n = list_hexes(&free_hexes, hexes)
    for i in range(n):
        out[i] = pack(DO_DEVELOP, hexes[i], 0)
    out[n] = pack(DO_DECLINE, 0, 0)
    return n + 1

# --- apply -----------------------------------------------------------------------
cdef void apply(const void* board, void* state, Move move) noexcept nogil:
    cdef const Map* b = <const Map*>board
    cdef State* s = <State*>state
    cdef int kind = move_kind(move)
    if kind == DO_BID:
        make_bid(&s.auction, move_amount(move), s.n_players)
        if is_settled(&s.auction):
            end_auction(b, s)
    elif kind == DO_PASS:
        pass_bid(&s.auction, s.n_players)
        if is_settled(&s.auction):
            end_auction(b, s)
    elif kind == DO_DIAL:
        turn_dial(s, move_a(move))
    elif kind == DO_OFFER:
        open_share(b, s, ACTION, move_a(move), s.turn)      # CE-43
    elif kind == DO_COMPANY:
        s.decision = PLACING
        s.building = move_a(move)
    elif kind == DO_PLACE:
        place(b, s, move_a(move), move_b(move))
    elif kind == DO_STOP:
        end_build(b, s)
    elif kind == DO_DEVELOP:
        develop(b, s, move_a(move))
    else:                                                   # CE-32: the action lapses, the dial stays
        end_turn(b, s)

cdef void open_share(const Map* b, State* s, int purpose, int company, int opener) noexcept nogil:
    """CE-13, CE-42, CE-83: what is bid for, and from which amount on."""
    cdef int minimum
    if purpose == OPENING:
        minimum = b.opening_bid[company]
        s.n_opened += 1
    else:
        minimum = dividend_per_share(s.income[company], s.sold[company] + 1)
    s.decision = BIDDING
    s.purpose = purpose
    open_auction(&s.auction, company, opener, minimum, s.n_players)

cdef void sell(State* s, int company, int buyer, int price) noexcept nogil:
    """CE-25: the price goes into the company's treasury."""
    s.cash[buyer] -= price
    s.treasury[company] += price
    s.shares[buyer][company] += 1
    s.sold[company] += 1

cdef void end_auction(const Map* b, State* s) noexcept nogil:
    cdef Auction a = s.auction
    cdef int owner = a.bidder, player
    if owner == NOBODY and s.purpose == OPENING:
        owner = a.opener                                    # CE-15: for nothing
    if owner != NOBODY:
        sell(s, a.company, owner, a.bid)
    memset(&s.auction, 0, sizeof(Auction))
    if s.purpose != OPENING:                                # CE-26, CE-34, CE-85
        end_turn(b, s)
    elif s.n_opened < b.n_openings:
        open_share(b, s, OPENING, b.opening[s.n_opened], owner)     # CE-14
    else:
        for player in range(s.n_players):
            if s.shares[player][b.opening[0]] > 0:          # CE-16
                s.turn = player
        begin_turn(b, s)

cdef void turn_dial(State* s, int dial) noexcept nogil:
    """CE-31: the dial moves before anything else happens."""
    s.dial[dial] += 1
    if dial == AUCTION:
        s.decision = OFFERING
    elif dial == BUILD:
        s.decision = CHOOSING_COMPANY
    else:
        s.decision = DEVELOPING

cdef void place(const Map* b, State* s, int company, int hex_) noexcept nogil:
    """CE-56, CE-59: pay, stand, earn."""
    s.treasury[company] -= placing_cost(b, s, hex_)
    s.income[company] += hex_value(b, s, hex_)
    s.locomotives[company] -= 1
    occupy(b, s, company, hex_)
    s.n_placed += 1
    if hex_ == b.chicago:
        s.to_chicago = 1
    if s.n_placed == b.max_build:
        end_build(b, s)

cdef void end_build(const Map* b, State* s) noexcept nogil:
    """CE-60: the Chicago phase comes after the whole action."""
    cdef bint reached = s.to_chicago
    cdef int company = s.building
    s.n_placed = s.to_chicago = s.building = 0
    if reached:
        hold_chicago_phase(b, s, company)
    else:
        end_turn(b, s)

cdef void hold_chicago_phase(const Map* b, State* s, int company) noexcept nogil:
    """CE-80 to CE-85: a dividend of that company alone; the first time Wabash is founded and a share of it auctioned."""
    cdef int player
    s.chicago_dividend = dividend_per_share(s.income[company], s.sold[company])
    for player in range(s.n_players):
        s.cash[player] += s.shares[player][company] * s.chicago_dividend
    if s.founded:
        end_turn(b, s)
        return
    s.founded = 1
    s.locomotives[b.late] -= 1
    s.income[b.late] = b.start_income[b.late] + hex_value(b, s, b.start_hex[b.late])
    occupy(b, s, b.late, b.start_hex[b.late])               # CE-82: free of charge
    open_share(b, s, FOUNDING, b.late, s.turn)              # CE-83

cdef void develop(const Map* b, State* s, int hex_) noexcept nogil:
    """CE-71 to CE-75: a house, or the next space of an industry track."""
    cdef int i = b.industry[hex_], company
    if i != NO_HEX:
        advance_industry(b, s, i)
    else:
        s.houses -= 1
        add_hex(&s.developed, hex_)
        for company in range(N_COMPANIES):
            if has_hex(&s.track[company], hex_):
                if b.terrain[hex_] == FOREST:
                    s.treasury[company] += b.forest_cash    # CE-74
                else:
                    s.income[company] += b.development[hex_]    # CE-73
    end_turn(b, s)

cdef void advance_industry(const Map* b, State* s, int i) noexcept nogil:
    """CE-75, CE-94: every company there gains the difference."""
    cdef int company
    cdef int gain = b.industry_value[i][s.industry[i] + 1] - b.industry_value[i][s.industry[i]]
    s.industry[i] += 1
    for company in range(N_COMPANIES):
        if has_hex(&s.track[company], b.industry_hex[i]):
            s.income[company] += gain

cdef void end_turn(const Map* b, State* s) noexcept nogil:
    """CE-34: clockwise, whoever won an auction."""
    s.turn = s.turn + 1 if s.turn + 1 < s.n_players else 0
    begin_turn(b, s)

cdef void begin_turn(const Map* b, State* s) noexcept nogil:
    """CE-30: with two dials on red the general dividend comes first."""
    cdef int dial, red = 0
    s.decision = CHOOSING_DIAL
    for dial in range(N_DIALS):
        red += s.dial[dial] == b.dial_steps[dial]
    if red >= DIALS_FOR_DIVIDEND:
        hold_dividend(b, s)

cdef void hold_dividend(const Map* b, State* s) noexcept nogil:
    """CE-90 to CE-95: payout, end check, dials, Detroit."""
    cdef int company, player, dial
    s.n_dividends += 1
    for company in range(N_COMPANIES):
        s.dividend[company] = dividend_per_share(s.income[company], s.sold[company])
        for player in range(s.n_players):
            s.cash[player] += s.shares[player][company] * s.dividend[company]
    if is_at_end(b, s):
        s.decision = GAME_OVER
        return
    for dial in range(N_DIALS):
        s.dial[dial] = 0
    advance_industry(b, s, b.detroit)

# --- end and score ---------------------------------------------------------------
cdef bint is_at_end(const Map* b, const State* s) noexcept nogil:
    """CE-100; looked at only in a general dividend (CE-101)."""
    cdef int company, without_locomotives = 0, without_shares = 0
    for company in range(N_COMPANIES):
        without_locomotives += s.locomotives[company] == 0
        without_shares += s.sold[company] == b.shares[company]
    return (without_locomotives >= b.end_locomotives or without_shares >= b.end_shares
            or s.houses <= b.end_houses or s.industry[b.detroit] >= b.end_detroit)

cdef void scores(const void* board, const void* state, int* score) noexcept nogil:
    """CE-102: only cash counts."""
    cdef const State* s = <const State*>state
    cdef int player
    for player in range(s.n_players):
        score[player] = s.cash[player]

# --- judgement -------------------------------------------------------------------
include "chicago_express.pxi"

# --- notation --------------------------------------------------------------------
cdef State* AT = NULL
cdef Field[24] FIELDS
FIELDS[:] = [
    field(b"cash", &AT.cash, 4, MAX_PLAYERS),
    field(b"treasury", &AT.treasury, 4, N_COMPANIES),
    field(b"track", &AT.track, 8, N_COMPANIES * HEX_WORDS),
    field(b"developed", &AT.developed, 8, HEX_WORDS),
    field(b"shares", &AT.shares, 1, MAX_PLAYERS * N_COMPANIES),
    field(b"dial", &AT.dial, 1, N_DIALS),
    field(b"industry", &AT.industry, 1, N_INDUSTRIES),
    field(b"houses", &AT.houses, 1, 1),
    field(b"founded", &AT.founded, 1, 1),
    field(b"decision", &AT.decision, 1, 1),
    field(b"turn", &AT.turn, 1, 1),
    field(b"purpose", &AT.purpose, 1, 1),
    field(b"opened", &AT.n_opened, 1, 1),
    field(b"building", &AT.building, 1, 1),
    field(b"placed", &AT.n_placed, 1, 1),
    field(b"tochicago", &AT.to_chicago, 1, 1),
    field(b"bids", &AT.auction.bid, 2, 2),              # the standing bid and the minimum
    field(b"auction", &AT.auction.company, 1, 5),       # company, opener, speaker, bidder, who is still in
    field(b"dividends", &AT.n_dividends, 1, 1),
    field(b"paid", &AT.dividend, 2, N_COMPANIES + 1),   # per share, at the last dividend and in the last Chicago phase
    field(b"income", &AT.income, 2, N_COMPANIES, True),
    field(b"sold", &AT.sold, 1, N_COMPANIES, True),
    field(b"locomotives", &AT.locomotives, 1, N_COMPANIES, True),
    field(NULL, NULL, 0, 0),
]

cdef GameOps OPS = GameOps(
    name=b"chicago-express", state_size=sizeof(State), key_size=<size_t>&AT.income, fields=&FIELDS[0],
    start=start, settle=settle, to_move=to_move, legal=legal, chance=NULL, accepts=NULL, apply=apply,
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
        raise ValueError("no share is under the hammer; expected an auction of Chicago Express")
    look_ahead(b, s, w, &o)
    appraise(b, s, w, &o, s.auction.company, s.auction.in_bits, least_bid(&s.auction), &look)
    winner = predict(s, &s.auction, look.value, &price)
    return {
        "rounds": o.rounds, "income": s.income[s.auction.company], "shares": look.shares, "future": look.future,
        "denial": w.denial, "price_of_cash": price_of_cash(w, &o), "winner": winner, "price": price,
        "values": [look.value[p] for p in range(s.n_players)], "alone": [look.alone[p] for p in range(s.n_players)],
    }

def rounds_to_come(Position position not None, const float[::1] weights not None) -> float:
    """General dividends still to come."""
    if position.ops != &OPS:
        raise ValueError("expected a position of Chicago Express")
    return rounds_left(<const Map*>position.board.data, <const State*>position.state, <const Weights*>&weights[0])

def gains(Position position not None, moves, const float[::1] weights not None) -> list[float]:
    """What each of these moves of a turn is worth to the player on turn, in dollars at the end."""
    cdef const State* s = <const State*>position.state
    cdef const Map* b = <const Map*>position.board.data
    cdef const Weights* w = <const Weights*>&weights[0]
    cdef Outlook o
    if position.ops != &OPS or s.decision == BIDDING or s.decision == GAME_OVER:
        raise ValueError("no decision of a turn here; expected one of Chicago Express")
    look_ahead(b, s, w, &o)
    return [move_gain(b, s, w, &o, <Move>move) for move in moves]

def weight_names() -> tuple[str, ...]:
    cdef Weights weights
    memset(&weights, 0, sizeof(Weights))
    return tuple(<object>weights)

def make_board(figures: dict) -> Board:
    """The board of these figures. They have been checked; what the core relies on is asserted once more."""
    cdef Board board = new_board(&OPS, sizeof(Map), 2, MAX_PLAYERS)
    cdef Map* b = <Map*>board.data
    cdef int hex_, other, company, i, space
    b.n_hexes = len(figures["terrain"])
    assert 0 < b.n_hexes <= MAX_HEXES
    for hex_ in range(b.n_hexes):
        b.terrain[hex_] = figures["terrain"][hex_]
        b.cost[hex_] = figures["cost"][hex_]
        b.income[hex_] = figures["income"][hex_]
        b.development[hex_] = figures["development"][hex_]
        b.industry[hex_] = NO_HEX
        b.distance[hex_] = figures["distance"][hex_]
        b.promise[hex_] = figures["promise"][hex_]
        add_hex(&b.land, hex_)
        if b.terrain[hex_] != START:
            add_hex(&b.buildable, hex_)
        if b.terrain[hex_] in (FOREST, MOUNTAIN):
            add_hex(&b.exclusive, hex_)
        if figures["with_house"][hex_]:
            add_hex(&b.with_house, hex_)
        for other in figures["neighbours"][hex_]:
            assert 0 <= other < b.n_hexes
            add_hex(&b.neighbours[hex_], other)
    b.chicago, b.late, b.detroit = figures["chicago"], figures["late"], figures["detroit"]
    assert 0 <= b.chicago < b.n_hexes and 0 <= b.late < N_COMPANIES and 0 <= b.detroit < N_INDUSTRIES
    for company in range(N_COMPANIES):
        b.start_hex[company] = figures["start_hex"][company]
        assert 0 <= b.start_hex[company] < b.n_hexes
        b.start_income[company] = figures["start_income"][company]
        b.opening_bid[company] = figures["opening_bid"][company]
        b.shares[company] = figures["shares"][company]
        b.locomotives[company] = figures["locomotives"][company]
        assert b.shares[company] > 0 and b.locomotives[company] > 0
    b.n_openings = len(figures["opening"])
    assert 0 < b.n_openings <= N_COMPANIES
    for i in range(b.n_openings):
        b.opening[i] = figures["opening"][i]
        assert 0 <= b.opening[i] < N_COMPANIES
    for i in range(N_INDUSTRIES):
        hex_ = b.industry_hex[i] = figures["industry_hex"][i]
        assert 0 <= hex_ < b.n_hexes and len(figures["industry_value"][i]) <= MAX_SPACES
        b.industry[hex_] = i
        b.industry_spaces[i] = len(figures["industry_value"][i])
        b.industry_start[i] = figures["industry_start"][i]
        assert 0 <= b.industry_start[i] < b.industry_spaces[i]
        for space in range(b.industry_spaces[i]):
            b.industry_value[i][space] = figures["industry_value"][i][space]
    for i in range(N_DIALS):
        b.dial_steps[i] = figures["dial_steps"][i]
        assert b.dial_steps[i] > 0
    b.houses, b.max_build, b.forest_cash = figures["houses"], figures["max_build"], figures["forest_cash"]
    for i in range(2, MAX_PLAYERS + 1):
        b.starting_cash[i] = figures["starting_cash"][i]
    b.end_locomotives, b.end_shares = figures["end_locomotives"], figures["end_shares"]
    b.end_houses, b.end_detroit = figures["end_houses"], figures["end_detroit"]
    assert b.end_detroit < b.industry_spaces[b.detroit]     # so the marker never leaves its track
    for company in range(N_COMPANIES):
        b.most_dividend[company] = figures["most_dividend"][company]
    cdef Position position = Position(board, 2)                 # so the list of bids never outgrows MAX_MOVES
    assert dividends_to_come(b, <State*>position.state) + max(b.starting_cash) <= MAX_CASH
    return board
