"""RAIL (Railway Rivals): the figures, the map and the state (rules RL-1 to RL-70)."""
from libc.stdint cimport int8_t, int16_t, uint8_t, uint32_t, uint64_t
from railwright.cext.game cimport MAX_PLAYERS, Move

cpdef enum:
    START_ACCOUNT = 20          # RL-2
    PREMIUM = 6                 # RL-14
    JOIN_FEE = 1                # RL-16
    HALF_HEX_FEE = 2            # RL-16
    RUN_FEE = 1                 # RL-36
    MOST_TO_ONE_RIVAL = 10      # RL-37
    FIRST_PRIZE = 20            # RL-46
    SECOND_PRIZE = 10           # RL-46
    LEAST_DISTANCE = 6          # RL-28, where the map names none
    LAST_ROUND = 60             # RL-25a
    ROUNDS_AFTER_DECLARATION = 2    # RL-24
    LAST_RACE = 150             # RL-55
    LOADING = 2                 # RL-65: pips for loading and unloading a ferry
    SMALL_ACCOUNT = 50          # RL-59: below it one may build for SMALL_BUDGET
    SMALL_BUDGET = 5
    DEAREST_CANDIDATE = 20      # section 10, step 4
    N_NUMBERS = 36              # RL-27: 11 to 66
    MOST_POINTS = 8190          # of an account

cpdef enum:                     # bounds of a map
    LAND_WORDS = 11
    MAX_LAND = 704              # hexes that a line can reach, 64 * LAND_WORDS
    SEGMENT_WORDS = 33
    MAX_SEGMENTS = 2112         # 64 * SEGMENT_WORDS
    BRANCH_WORDS = 66
    MAX_BRANCHES = 4224         # 64 * BRANCH_WORDS: every segment from both ends
    MAX_CITIES = 64
    MAX_STARTS = 16
    MAX_FERRIES = 16
    MAX_ROWS = 12               # of the table of special races
    MAX_FERRY_PIPS = 30
    MOST_COST = 7               # RL-13: of a segment, through two mountains and over a river
    N_DIRECTIONS = 6            # north-west, north-east, west, east, south-west, south-east: neighbours ascending
    N_TRAIN_FIGURES = 13        # of a Train
    NO_HEX = -1
    NOBODY = -1
    FAR = 999                   # a distance where there is no way

cpdef enum:                     # bounds of the search for routes
    MAX_LABELS = 12000
    MAX_CANDIDATES = 21         # one for each fee from 0 to DEAREST_CANDIDATE
    RING = 32                   # more than a step adds to a whole way, at most MAX_FERRY_PIPS
    N_USED = 4                  # sets of the members of a train
    NO_FEE = 255
    UNKNOWN = -1
    MOST_PIPS = 512             # of a way that is looked at quickly
    MOST_WAY = 1152             # more pips than any way takes that visits no hex twice
    MAX_ENTRIES = 8 * 704       # of hexes that wait while pips are measured: each from every side, and to begin with
    NO_BOUND = 9999
    MAX_STACK = 4 * 704 * 4     # of states that wait while the ways back from the goals are measured
    GIVEN = 2176                # bytes of a state up to `decision`
    MAX_STEPS = 4300            # options of one build step: every branch, and some more

cpdef enum RouteFault:          # why an explicit route is refused
    NOT_FROM_START = 1, NOT_TO_GOAL, HEX_TWICE, THROUGH_ABROAD, NO_TRACK, NO_OWN_TRACK, WRONG_PAYEE, TOO_MUCH, NOT_PAYABLE

cpdef enum BuildFault:          # why a segment is refused, in the order of the checks (section 12)
    NOT_CONNECTED = 1, BLOCKED, ENDS_ABROAD, BORDER, ALREADY_BUILT, START_TAKEN, NO_PIPS, OVER_LIMIT, NO_POINTS

cpdef enum FerryFault:          # why a ferry may not be bought (RL-63, RL-64)
    NOT_ADVANCED = 1, JOINT_LINE, OWNED, NOT_AT_PORT, FERRY_LIMIT, SAME_PORT, FERRY_OVER_LIMIT, FERRY_NO_POINTS

cpdef enum OfferFault:          # why a joint line or a joint run may not be offered (RL-33, RL-58)
    OFFERS_OFF = 1, TWO_PLAYERS, NOT_NOW, HAS_ANSWERED, HAS_REFUSED, NO_LINES, NO_COMMON_HEX

cpdef enum:                     # the options of the rules (section 8)
    DICE, SHARED_THROW, JOINT_LINES, JOINT_RUNS, TEN_PERCENT, CHAINED, RACES, ADVANCED, CITY_PARALLEL_FREE, DEFERRED_JOIN_FEE, N_CHOICES

cpdef enum Decision:
    FIRST_PLAYER, THROWING, CHOOSING_START, BUILDING, ANSWERING_LINE, THROWING_FOR_LINE, DRAWING_START, DRAWING_GOAL, \
    ENTERING, ANSWERING_RUN, NAMING, REPAIRING, RUNNING, EXPANDING, GAME_OVER

cpdef enum Entry:               # RL-31: what a player has said
    UNANSWERED, OUT, ALONE, JOINT

cpdef enum Kind:                # of a move
    DO_FIRST, DO_THROW, DO_START, DO_OFFER, DO_BUILD, DO_END, DO_DECLARE, DO_FERRY, DO_ACCEPT, DO_REFUSE, DO_FROM, DO_TO, \
    DO_OUT, DO_ALONE, DO_ROUTE, DO_EXPLICIT, DO_WITHDRAW, DO_DIE

cdef struct Land:               # a set of hexes
    uint64_t word[LAND_WORDS]

cdef struct Path:               # a set of segments
    uint64_t word[SEGMENT_WORDS]

cdef struct Branches:           # a set of branches, segments each seen from one end: by hex, then by direction
    uint64_t word[BRANCH_WORDS]

cdef struct Ferry:
    int16_t port
    int16_t landing
    int16_t length
    int16_t price
    int16_t toll

cdef struct Weights:            # of the judgement, by the names of the weights' file
    float temperature, scale    # every game's first two, see search.pxd
    float races                 # races that a game has, as construction sees it
    float most_races            # nobody plans further ahead
    float race_points           # points that a race brings all players together
    float spare                 # races that nobody wins, as a part of all pairs
    float cities_a_round        # cities that a player connects in a round
    float growth                # pips that a network may still grow in a turn
    float contest               # pips of lead to an open city that make it e times as sure
    float nobody                # the weight of an open city's staying open
    float city                  # points a race for a pair of cities that can be run on own lines
    float premium, urgency      # of an open city: the chance to be first now, and how much of it the next turn may take
    float chain                 # the part in which the next city behind a city counts
    float monopoly              # the worth of a city that nobody has reached
    float start_up              # pips that every line plan counts as longer than it is
    float pace                  # what a point by the pip is worth now
    float fee                   # pips that a point of fee counts
    float detour                # the part of its worth that a plan keeps on a detour
    float home                  # pips at which a city counts e times less for a start city
    float crowd                 # the part of its worth that a start city keeps for each rival there
    float ferry, declare        # the gains of buying a link and of closing construction
    float rivals                # how much a gain of the others in a race counts against one's own
    float boldness              # points for which a train is entered although it does not gain
    float payback               # how often the points spent in expansion must come back
    float sharpness             # points of gain that make a build step e times as likely
    float race_sharpness        # the same for entries and routes
    float random                # the part of playouts' moves that is chosen at random
    float noise                 # of the worth of plans in playouts

cdef struct Step:               # over a segment, from a hex to a neighbour
    int16_t to
    int16_t segment
    uint8_t pips                        # RL-43
    uint8_t back_pips                   # for the way back
    uint8_t owner_bits                  # in a race

cdef struct Map:                # a board, see `make_board`
    uint64_t serial                     # no other board has it
    int n_hexes, n_segments, n_cities, n_numbers, n_starts, n_ferries, n_rows
    int16_t neighbour[MAX_LAND][N_DIRECTIONS]       # NO_HEX where no line can go
    int16_t segment[MAX_LAND][N_DIRECTIONS]
    uint8_t run_pips[MAX_LAND][N_DIRECTIONS]        # RL-43
    Step step[MAX_LAND][N_DIRECTIONS]   # the same in one piece
    uint8_t home_bits[MAX_LAND]         # directions in which one may build (RL-9)
    uint8_t border_bits[MAX_LAND]       # those that lead abroad (RL-60)
    uint8_t is_abroad[MAX_LAND]
    int8_t city[MAX_LAND]               # or NO_HEX
    uint8_t cost[MAX_SEGMENTS]          # RL-13
    int16_t ends[MAX_SEGMENTS][2]       # the hexes of a segment, ascending
    int16_t branch[MAX_LAND][N_DIRECTIONS]
    Branches cheap[MOST_COST + 1]       # RL-13: those that cost at most so much
    int16_t branch_segment[MAX_BRANCHES]
    int16_t branch_to[MAX_BRANCHES]
    Move branch_move[MAX_BRANCHES]      # that builds it
    int16_t city_hex[MAX_CITIES]
    int8_t city_of[N_NUMBERS]           # by number, or NO_HEX
    uint64_t city_bits                  # all cities
    int16_t start_hex[MAX_STARTS]
    bint distinct_first_edges           # RL-12
    int least_distance                  # RL-28
    Ferry ferry[MAX_FERRIES]
    int ferries_per_player
    bint different_ports                # RL-64
    bint has_special_races
    int special_every                   # RL-66
    Land row_goals[MAX_ROWS]            # RL-67, RL-68: the goals of each row of the table
    uint8_t city_numbers[MAX_CITIES]            # how many numbers a city has
    uint8_t build_pips[MAX_LAND][MAX_CITIES]    # RL-13: from a hex to a city, over the bare map
    int16_t distance[MAX_CITIES][MAX_LAND]      # over land, in segments: no built way is shorter

cdef struct Train:              # of one player, or of two (RL-33: the proposer first)
    int16_t member[2]
    int16_t is_named                    # its route is known
    int16_t pips                        # RL-43
    int16_t goal
    int16_t thrown                      # RL-44: the sum of its throws
    int16_t arrived                     # the round of the race in which it arrived, or 0
    int16_t fee[MAX_PLAYERS]            # RL-36: owed to each rival before setting off

cdef struct State:
    # given
    uint8_t owner_bits[MAX_SEGMENTS]    # who has built each segment
    int16_t account[MAX_PLAYERS]
    int16_t start[MAX_PLAYERS]          # the start city's hex
    int16_t first_edge[MAX_PLAYERS]     # RL-12: a segment
    uint64_t connected_bits             # RL-23: cities
    int8_t ferry_owner[MAX_FERRIES]
    int8_t decision
    int8_t n_players
    int8_t choice[N_CHOICES]            # the options of the rules
    # construction
    int8_t round
    int8_t first                        # RL-6: who begins this round
    int8_t used_bits                    # who has had the turn in this round
    int8_t turn
    int8_t pips
    int8_t shared_pips                  # RL-57: the throw of this round
    int8_t declared                     # RL-24: the round of the declaration, or 0
    int8_t is_first_step                # RL-58: no build step yet in this turn
    int8_t partner                      # RL-58: with whom the player in turn builds
    int8_t offered_to                   # who has to answer, to a joint line or a joint run
    int8_t refused_bits                 # who refused the one who asks
    # the races
    int8_t opener
    int16_t race_number                 # RL-26
    int16_t race_start
    Land goals
    int8_t is_special                   # RL-66: the goal comes from the table
    int8_t least_distance               # RL-30: of this draw
    int16_t chained_start               # RL-59a
    int8_t times_used[N_NUMBERS]        # RL-54
    int8_t entry[MAX_PLAYERS]
    int8_t n_trains
    int8_t thrower                      # the train that throws next
    int16_t race_round
    int16_t limit[MAX_PLAYERS]          # RL-49: what is left of it
    Train train[MAX_PLAYERS]            # in order
    # derived, kept up to date by `lay` and `begin_at`
    uint8_t touch_bits[MAX_LAND]        # whose track touches a hex
    uint8_t built_bits[MAX_LAND]        # directions in which anybody has built
    Land network[MAX_PLAYERS]           # RL-9
    int16_t n_segments[MAX_PLAYERS]
    Branches open[MAX_PLAYERS]          # RL-9: what the map and the network allow, if it can be paid
    # memory for people: no decision depends on it
    int8_t race_over                    # the trains are those of the last race
    int16_t build_cost                  # pips and points spent on terrain so far
    int16_t premiums[MAX_PLAYERS]       # received so far
    int16_t build_fees[MAX_PLAYERS][MAX_PLAYERS]    # paid so far while building: payer, receiver
    int16_t paid[MAX_PLAYERS][MAX_PLAYERS]          # in this race, after setting off; a joint train goes by its proposer
    int16_t prize[MAX_PLAYERS]
    int16_t budget[MAX_PLAYERS]         # RL-49: the limits as the race ended
    Path path[MAX_PLAYERS]              # of each train's route
    # an explicit route that is about to be named, see `draft_route`
    Train draft
    Path draft_path
    int8_t draft_payee[MAX_LAND]        # at each step who is paid, where it is not the default

cdef struct Label:              # section 10: a partial route
    uint64_t owed                       # a byte for each rival, the richest in the highest
    int16_t hex_
    int16_t parent
    int16_t next_                       # of the same pips and fee
    int16_t twin                        # at the same hex
    int16_t pips
    int16_t depth
    int16_t before                      # the last label on its way that had used fewer members' lines
    int16_t segment                     # of the last step, or NO_HEX: a ferry
    uint8_t fee
    uint8_t used                        # members whose line it has used, as bits

cdef struct Ways:               # of a race, for all its trains
    uint8_t n_steps[MAX_LAND]           # from each hex
    Step step[MAX_LAND][N_DIRECTIONS]   # over the segments that lie on some way to a goal that visits no hex twice
    int16_t far[MAX_LAND]               # the fewest pips from a hex to a goal
    int owner_bits                      # of those segments
    int n_ferries                       # of the board, 0 when no goal is reached by one
    int measured_bits                   # the players for whom is known:
    int16_t to_go[MAX_PLAYERS][MAX_LAND]    # the fewest pips when the player's line is still to be used
    bint is_known                       # they have been worked out

cdef struct Known:              # what has been found out about the race that is being entered, or whose routes are named
    uint64_t board                      # its serial
    int16_t n_players
    uint8_t given[GIVEN]                # what decides: track, accounts, ferries
    bint has_pieces                     # of the track, by city:
    int16_t piece[MAX_CITIES]
    int16_t race_start                  # what else decides about what follows
    Land goals
    Ways ways
    int8_t can_run[MAX_PLAYERS][MAX_PLAYERS]        # a player with another; with himself: alone
    uint8_t set_off_bits[MAX_PLAYERS][MAX_PLAYERS]  # on which that counts
    int n_routes                        # the candidates of one train, all of them, or UNKNOWN:
    int16_t member[2]
    int routes_set_off_bits             # on which they count
    Move route_move[MAX_CANDIDATES]     # that names it
    Train route[MAX_CANDIDATES]
    Path route_path[MAX_CANDIDATES]

cdef struct Search:             # the search for the candidates of one train
    Ways* ways                          # of the race
    const int16_t* to_go[N_USED]        # the fewest pips from a hex to a goal when these members' lines are still to be used
    int members[2]
    int n_members
    int member_bits
    int all_used
    uint8_t used_by[64]                 # the members among the owners of a line, as bits
    int set_off_bits                    # RL-38: rivals with whom the train may count on setting off
    int payable                         # RL-39: most that can be due
    int n_rivals
    int rival[MAX_PLAYERS]              # from the richest to the poorest
    int preference[MAX_PLAYERS]         # the same rivals in the order in which they are paid
    int byte_of[MAX_PLAYERS]            # where a rival's fee stands in `owed`
    uint8_t payee_byte[64]              # the same for the owner of a line who is paid as long as no limit binds
    uint64_t due_bytes                  # those of the rivals with whom nothing is set off
    int n_labels
    int n_pending
    int n_found
    int most                            # a candidate's fee can be
    int unbound                         # up to this fee no limit binds
    int dearest                         # dearer candidates are not looked for; less than those found,
    int longest                         # nor longer ones
    int floor                           # no candidate is cheaper
    int16_t found[MAX_CANDIDATES]
    int16_t later[RING]                 # labels by the pips of the shortest way that they can become
    int16_t at_hex[MAX_LAND]            # the last label at each hex
    uint8_t dear[MAX_LAND][N_USED]      # the least fee from a hex to a goal when these members' lines are still to be used
    int16_t both[MAX_LAND]              # `to_go` when both members' lines are still to be used
    uint8_t best[MAX_LAND][N_USED]      # the least fee kept at a hex by labels that have used these members' lines
    Label label[MAX_LABELS]
