"""Chicago Express: the figures, the board and the state (rules CE-1 to CE-104)."""
from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t
from railwright.cext.auction cimport Auction
from railwright.cext.game cimport MAX_PLAYERS
from railwright.cext.hexes cimport MAX_HEXES, Hexes

cpdef enum:
    N_COMPANIES = 5             # CE-1
    N_DIALS = 3                 # CE-4
    N_INDUSTRIES = 3            # CE-5
    MAX_SPACES = 16             # of an industry track
    MAX_BUILD = 3               # CE-51
    DIALS_FOR_DIVIDEND = 2      # CE-30
    OPTION_OPENER = 0           # CE-14: the seat that opens the first auction
    NO_HEX = -1
    MAX_TREASURY = 1000000      # dollars; no game comes near
    FAR = 99                    # hexes to the goal where there is no way, or a longer one

cpdef enum Terrain:
    PLAINS, FOREST, MOUNTAIN, CITY, INDUSTRY, START

cpdef enum Dial:
    AUCTION, BUILD, DEVELOP

cpdef enum Decision:
    BIDDING, CHOOSING_DIAL, OFFERING, CHOOSING_COMPANY, PLACING, DEVELOPING, GAME_OVER

cpdef enum Purpose:             # of an auction: what follows it
    OPENING, ACTION, FOUNDING

cpdef enum Kind:                # of a move
    DO_PASS, DO_BID, DO_DIAL, DO_OFFER, DO_COMPANY, DO_PLACE, DO_STOP, DO_DEVELOP, DO_DECLINE

cdef struct Weights:            # of the judgement, by the names of the weights' file
    float temperature, scale    # every game's first two, see search.pxd
    float shares_a_round, houses_a_round, locomotives_a_round   # how fast the end conditions come nearer
    float most_rounds           # nobody plans further ahead
    float growth                # income that a dollar of a treasury becomes
    float spending              # dollars that a company can spend in a round
    float lag                   # the part of the dividends still to come that new income takes part in
    float development           # income that development brings a company in a round
    float chicago_cost          # dollars for each hex still to go to Chicago
    float chicago_reach         # hexes that a company may go in a round
    float dilution              # the part of the unsold shares that will be sold
    float cash                  # what a dollar at hand is worth more with every round to come
    float purse, liquid         # dollars that one needs to bid at all, and what each of them is worth more yet with every round
    float denial                # what a share that a rival does not get is worth to its buyer, as a part of its value
    float rivals                # how much a gain of the others counts against one's own
    float cost                  # what a dollar out of a treasury must bring when building
    float progress              # the value of one hex nearer to Chicago
    float promise               # the value of a dollar of income next to a hex
    float sharpness             # dollars of gain that make a move e times as likely
    float random                # the part of playouts' moves that is chosen at random
    float noise                 # of the values in playouts' auctions, as a part of the value

cdef struct Map:                # a board, see `make_board`
    int n_hexes
    int8_t terrain[MAX_HEXES]
    int16_t cost[MAX_HEXES]
    int16_t income[MAX_HEXES]
    int16_t development[MAX_HEXES]
    int8_t industry[MAX_HEXES]          # which industry track a hex has, or NO_HEX
    int16_t distance[MAX_HEXES]         # hexes to the goal over land that can be built on
    int16_t promise[MAX_HEXES]          # the best income next to the hex
    Hexes neighbours[MAX_HEXES]
    Hexes land                          # all hexes of the board
    Hexes buildable                     # CE-53: all but the eastern start hexes
    Hexes exclusive                     # CE-54: forest and mountain
    Hexes with_house                    # CE-71: developed once, with a house
    int chicago
    int late                            # CE-12: the company that is founded later, Wabash
    int16_t start_hex[N_COMPANIES]
    int16_t start_income[N_COMPANIES]
    int16_t opening_bid[N_COMPANIES]
    int8_t shares[N_COMPANIES]
    int8_t locomotives[N_COMPANIES]
    int8_t opening[N_COMPANIES]         # CE-13: the order of the opening auctions
    int n_openings
    int16_t industry_hex[N_INDUSTRIES]
    int16_t industry_value[N_INDUSTRIES][MAX_SPACES]
    int8_t industry_spaces[N_INDUSTRIES]
    int8_t industry_start[N_INDUSTRIES]     # the space, not the value
    int detroit                         # CE-94: the industry that advances by itself
    int8_t dial_steps[N_DIALS]
    int houses
    int max_build
    int forest_cash                     # CE-74
    int starting_cash[MAX_PLAYERS + 1]
    int end_locomotives, end_shares, end_houses, end_detroit    # CE-100
    int most_dividend[N_COMPANIES]      # no company can ever pay out more than this at once

cdef struct State:
    # given
    int32_t cash[MAX_PLAYERS]
    int32_t treasury[N_COMPANIES]
    Hexes track[N_COMPANIES]
    Hexes developed
    int8_t shares[MAX_PLAYERS][N_COMPANIES]
    int8_t dial[N_DIALS]
    int8_t industry[N_INDUSTRIES]       # the space its marker stands on
    int8_t houses
    int8_t founded                      # CE-82: Wabash is in play
    int8_t decision
    int8_t turn                         # whose turn it is; in an auction the speaker decides
    int8_t purpose                      # of the running auction
    int8_t n_opened                     # opening auctions held so far, the running one included
    int8_t building                     # the company that is building
    int8_t n_placed                     # locomotives placed in this action
    int8_t to_chicago                   # CE-60: one of them in Chicago
    int8_t n_players
    Auction auction
    # derived, kept up to date by `place` and `sell`
    int16_t income[N_COMPANIES]
    int8_t sold[N_COMPANIES]
    int8_t locomotives[N_COMPANIES]     # left in supply
    uint8_t n_on[MAX_HEXES]             # locomotives on each hex
    Hexes frontier[N_COMPANIES]         # CE-52: where the next locomotive could go, exclusivity and money apart
    int8_t near[N_COMPANIES]            # hexes from its track to Chicago
    Hexes occupied
    Hexes blocked                       # CE-54: exclusive hexes that are taken
    # memory for people: no decision depends on it
    int8_t n_dividends                  # general dividends held
    int16_t dividend[N_COMPANIES]       # per share, at the last general dividend
    int16_t chicago_dividend            # per share, in the last Chicago phase
