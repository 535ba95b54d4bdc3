"""American Rails: the figures, the board and the state (rules AR-1 to AR-66)."""
from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t
from railwright.cext.auction cimport Auction
from railwright.cext.hexes cimport MAX_HEXES, Hexes

cpdef enum:
    N_COMPANIES = 6             # AR-3
    N_SPACES = 7                # AR-7
    N_LINKS = 3                 # AR-56
    N_TERRAINS = 4              # AR-2
    MIN_SEATS = 3               # AR-1
    MAX_SEATS = 5
    MAX_YEARS = 16
    MAX_CITIES = 64
    N_TARGETS = 6               # cities that a company is thought to build to
    FAR = 250                   # dollars to a city, or more
    MAX_TREASURY = 1_000_000
    OPTION_REMOVED = 0          # AR-12: the company taken out at setup
    OPTION_BANKER = 1           # R-1: 1 when chance decides who is banker
    NO_COMPANY = -1
    NO_HEX = -1
    NO_DIVIDEND = -1            # of a company without an owned share

cpdef enum Terrain:
    PLAINS, FOREST, MOUNTAIN, CITY

cpdef enum Space:               # AR-7: from top to bottom
    ON_PASS, ON_DEVELOP, ON_FUND, ON_TAKE, ON_EXPAND_3, ON_AUCTION, ON_EXPAND_4

cpdef enum Decision:
    REMOVING, DRAWING_BANKER, OFFERING, BIDDING, STARTING, CHOOSING, DEVELOPING, FUNDING, TAKING, EXPANDING, GAME_OVER

cpdef enum Kind:                # of a move
    DO_REMOVE, DO_BANKER, DO_OFFER, DO_PASS, DO_BID, DO_START, DO_CHOOSE, DO_DEVELOP, DO_FUND, DO_TAKE, DO_LEVY, DO_EXPAND, DO_PLACE, \
        DO_STOP, DO_DECLINE

cdef struct Weights:            # of the judgement, by the names of the weights' file
    float temperature, scale    # every game's first two, see search.pxd
    float shares_a_round, cubes_a_round     # how fast the end conditions come nearer
    float growth                # how much of the best income for a dollar a company gets
    float spending              # dollars that a company can spend in a round
    float lag                   # the part of the dividends still to come that new income takes part in
    float development           # income that houses bring a company in a round
    float dilution              # the part of the unsold shares that will be sold
    float cash                  # what a dollar at hand is worth more with every round to come
    float eager                 # what a share of the preparation round should cost, as a part of the money there is for each
    float reserve               # shares of later rounds for which money is kept back in the preparation round
    float denial                # what a share that a rival does not get is worth to its buyer, as a part of its value
    float control               # what the first share of a company is worth to its buyer in every round, for he may build
    float rivals                # how much a gain of the others counts against one's own
    float cost                  # what a dollar out of a treasury must bring when building
    float approach              # what it is worth to come nearer to a city, as a part of its value
    float reach                 # dollars over which a city's pull halves
    float tempo                 # the value of one space further up the track
    float turn                  # the value of an action that a player has still to take in this phase
    float sharpness             # dollars of gain that make a move e times as likely
    float random                # the part of playouts' moves that is chosen at random
    float noise                 # of the values in playouts' auctions, as a part of the value

cdef struct Map:                # a board, see `make_board`
    int n_hexes
    int8_t terrain[MAX_HEXES]
    int16_t base_cost[MAX_HEXES]
    int16_t cube_cost[MAX_HEXES]        # AR-48: more for each cube that is there
    int16_t house_cost[MAX_HEXES]       # AR-48: more for a house
    int16_t full[MAX_HEXES]             # AR-10: a city's two values
    int16_t shared[MAX_HEXES]
    int8_t link_bits[MAX_HEXES]         # the special connections that end here
    int n_cities
    int16_t city[MAX_CITIES]            # their hexes
    uint8_t way[MAX_HEXES][MAX_CITIES]  # dollars from a hex to each city over an empty board
    Hexes neighbours[MAX_HEXES]
    Hexes land                          # all hexes of the board
    Hexes cities
    Hexes exclusive                     # AR-47: forest and mountain, one cube at most
    Hexes developable                   # AR-36
    int16_t link[N_LINKS][2]            # AR-56
    int16_t link_bonus[N_LINKS]
    int8_t cubes[N_COMPANIES]           # AR-3: supply after setup, the income marker left out
    int8_t shares[N_COMPANIES]
    int houses                          # AR-4
    int full_bonus, shared_bonus        # AR-35: what a house adds
    int columns                         # AR-7
    int n_years                         # AR-9
    int last_year                       # AR-62: counted from 0
    int min_bid                         # AR-18
    int fund_amount, take_amount        # AR-37, AR-38
    int8_t expand[N_SPACES]             # AR-50: cubes of each space
    int8_t may_expand[MAX_SEATS + 1]    # AR-40: Expand 2 in place of the money
    int starting_cash[MAX_SEATS + 1]
    int8_t n_removed[MAX_SEATS + 1]     # AR-12: companies taken out at setup, 0 or 1
    int low_supply                      # AR-64
    int8_t low_supplies[MAX_SEATS + 1]
    int least_cost                      # no cube costs less
    int most_yearly                     # no player can ever be paid more than this in a round

cdef struct State:
    # given
    int32_t cash[MAX_SEATS]
    int32_t treasury[N_COMPANIES]
    Hexes track[N_COMPANIES]
    Hexes developed
    int8_t shares[MAX_SEATS][N_COMPANIES]
    int8_t gone[N_COMPANIES]            # AR-19, AR-43, AR-45: shares out of the game
    int8_t cubes[N_COMPANIES]           # left in supply
    int8_t houses                       # left in supply
    int8_t removed                      # AR-12: the company out of the game, or NO_COMPANY
    int8_t banker                       # NOBODY until chance has named one
    int8_t decision
    int8_t turn                         # who decides, but for an auction, where the speaker does
    int8_t year                         # from 0
    int8_t column                       # 1 to 3; 0 in the preparation round
    int8_t order[MAX_SEATS]             # of play in this column; in the preparation round the track so far; then NOBODY
    int8_t taken[N_SPACES]              # AR-28: who stands on each space of this column, or NOBODY
    int8_t waiting_bits                 # AR-16: the companies not yet put up
    int8_t starting                     # AR-21, AR-44: the company that gets its first cube
    int8_t n_left                       # AR-50: cubes the expanding player may still place
    int8_t n_players
    Auction auction
    # derived, kept up to date by `place` and `sell`
    int16_t income[N_COMPANIES]
    int8_t sold[N_COMPANIES]
    int8_t unsold[N_COMPANIES]
    uint8_t n_on[MAX_HEXES]             # cubes on each hex
    Hexes frontier[N_COMPANIES]         # AR-46: where the next cube could go, AR-47 for others' cubes and money apart
    Hexes occupied
    Hexes blocked                       # AR-47: exclusive hexes that are taken
    # memory for people: no decision depends on it
    int16_t dividend[N_COMPANIES]       # AR-59: per share, at the last dividend phase
