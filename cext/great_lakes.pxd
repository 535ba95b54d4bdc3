"""Ticket to Ride: Rails & Sails, The Great Lakes: the figures, the board and the state (rules GL-1 to GL-99)."""
from libc.stdint cimport int8_t, int16_t, uint8_t, uint64_t

cpdef enum:
    MAX_SEATS = 5               # GL-15
    N_COLOURS = 6               # GL-1
    N_CARDS = 25                # kinds of cards: four of each colour, and the wild
    WILD = 24
    HIDDEN = 25                 # in a view: cards of a deck that the observer cannot name, train cards first
    N_PILE = 27                 # kinds of cards and of hidden ones
    N_DECKS = 2
    GREY = 6                    # a route's colour: any
    MAX_LENGTH = 9              # GL-7
    MAX_NODES = 40
    MAX_ROUTES = 128
    MAX_TICKETS = 64
    MAX_ADJACENT = 16           # routes at a node
    LONG_ROUTE = 4              # worth a look for its points alone
    MAX_OFFERED = 5             # GL-12, GL-50
    MAX_SUBSETS = 32            # of the tickets offered
    MAX_PAYMENTS = 32           # GL-92
    MAX_PILE = 128              # cards of a deck
    MAX_LISTED = 256            # moves of one decision
    MAX_TRIES = 100             # at a world in which a player can pay for what he claims
    ROW = 6                     # GL-11
    ROW_OF_EACH = 3             # GL-11, GL-34
    CARDS_A_TURN = 2            # GL-30
    HARBOUR_OF_EACH = 2         # GL-61
    HARBOUR_COST = 4            # GL-61
    HARBOUR_STEPS = 4           # GL-63: no completed ticket, one, two, three or more
    NOBODY = -1
    NO_ROUTE = -1
    NOT_YET = -1                # GL-80: the end is not near
    UNKNOWN = -1                # in a view
    HIDDEN_TICKET = 63          # in a move of a view
    BATCH = 8                   # `under_by`: here a batch of returned tickets begins
    UNOWNED = 7                 # `under_by`: of the shuffled part, in a given order that nobody knows
    OPTION_SPLIT = 0            # GL-14: the trains of the beginners' fixed assortment

cpdef enum:                     # unnamed: they are indices
    TRAIN = 0                   # decks; also the kinds of routes and pieces
    SHIP = 1
    PLAIN = 0                   # cards of a colour
    SYMBOL = 1
    SINGLE = 2
    DOUBLE = 3

cpdef enum Decision:
    DEALING, FILLING, DEALING_TICKETS, DRAWING, TURNING_UP, DRAWING_TICKETS,        # chance
    FIRST_TICKETS, FIRST_PIECES, TURN, REFILLING, SECOND_CARD, PAYING, KEEPING, EXCHANGING, GAME_OVER

cpdef enum Kind:                # of a move
    DO_DEAL, DO_TURN_UP, DO_DRAW, DO_DEAL_TICKET, DO_DRAW_TICKET,                   # chance
    DO_KEEP, DO_KEEP_HIDDEN, DO_PIECES, DO_TAKE, DO_BLIND, DO_REFILL, DO_CLAIM, DO_PAY, DO_CLAIM_PAYING, DO_TICKETS,
    DO_HARBOUR, DO_HARBOUR_PAYING, DO_EXCHANGE, DO_AMOUNT, DO_PASS

cdef struct Weights:            # of the judgement, by the names of the weights' file
    float temperature, scale    # every game's first two, see search.pxd
    float pieces_a_turn         # that the fastest player places
    float toil                  # turns that the effort of a turn really takes
    float stretch               # turns that a way may take beyond those left before it is given up
    float sure                  # the chance of a ticket for which there is ample time
    float delay                 # turns that everything takes longer than planned
    float slack                 # turns that make a ticket e times as likely
    float pace                  # points that a turn brings
    float potential             # the part of the points that the cards at hand could pay for at best
    float potential_turns       # with fewer turns left they count less
    float unknown_ticket        # the points that a ticket one cannot see will bring
    float harbour, next_harbour     # the chance of building one, and of one more, set against the one before
    float ticket                # how much the tickets that hang on a route count in claiming it
    float contest               # the same again for each rival at its ends
    float reserve               # points for each piece that the plan needs elsewhere
    float extra                 # the part of its points that a route outside the plan counts
    float card, wild            # what a card is worth by itself
    float hand_full             # cards at hand at which one more is worth half as much by itself
    float double_ship           # a double ship, set against another card
    float distance              # how much less a card counts for each one more that is missing
    float gather                # the part of the points by which one more card of a colour pays for a longer route
    float symbol                # a harbour symbol, for each that goes with it
    float spent, spent_wild     # the cost of a card, of a wild
    float claim                 # what claiming is worth by itself: nobody can take the route any more
    float hurry                 # points for a planned claim when the claims fill the turns left
    float drawn                 # drawing tickets: the part of the points of those that are worth having
    float forced                # the same: the cost of one that must be kept though it is not
    float draw_from             # turns to spare from which on tickets that are not completed yet are worth having
    float exchange, no_exchange     # for each piece that the plan lacks; when it lacks none
    float trains_part           # of the pieces that the plan leaves free
    float sharpness             # points of gain that make a move e times as likely
    float random                # the part of playouts' turns that is chosen at random
    float noise                 # points by which playouts err
    float fit_one, fit_both     # the odds of an unseen ticket when its owner has routes to one of its cities, to both
    float fit_joined            # and when they are joined

cdef struct Routes:             # a set of routes
    uint64_t word[2]

cdef struct Map:                # a board, see `make_board`
    int n_nodes, n_routes, n_tickets
    uint64_t ports                          # GL-6: where a harbour can stand
    int8_t end_a[MAX_ROUTES]
    int8_t end_b[MAX_ROUTES]
    int8_t kind[MAX_ROUTES]
    int8_t colour[MAX_ROUTES]
    int8_t length[MAX_ROUTES]
    int16_t twin[MAX_ROUTES]                # GL-45: the other lane, or NO_ROUTE
    Routes payable[N_DECKS][N_COLOURS + 1][MAX_LENGTH + 1]      # by kind and colour, up to a length
    Routes at_node[MAX_NODES]
    int8_t ticket_a[MAX_TICKETS]
    int8_t ticket_b[MAX_TICKETS]
    int8_t ticket_points[MAX_TICKETS]
    int8_t copies[N_CARDS]                  # GL-1, GL-2
    int8_t pieces[N_DECKS]                  # GL-5
    int supply                              # GL-14
    int harbours                            # GL-5
    int dealt[N_DECKS]                      # GL-10
    int tickets_dealt, first_kept_min       # GL-12
    int tickets_drawn, kept_min             # GL-50
    int wilds_that_sweep, sweeps_max        # GL-34, GL-R3
    int both_lanes_from                     # GL-46
    int trigger, further_turns, safety_turns        # GL-80, GL-R23
    int16_t route_points[MAX_LENGTH + 1]    # GL-8
    int16_t harbour_points[HARBOUR_STEPS]   # GL-63
    int unbuilt                             # GL-64
    # for the judgement
    Routes of_length[N_DECKS][N_COLOURS + 1][MAX_LENGTH + 1]
    Routes payable_any                      # all routes
    Routes payable_long                     # those worth claiming for their points alone
    uint8_t adjacent[MAX_NODES][MAX_ADJACENT]       # the routes at a node
    int n_adjacent[MAX_NODES]
    int8_t ticket_order[MAX_TICKETS]        # the longest first
    Routes useful[MAX_TICKETS]              # routes on ways that are not much longer than the shortest
    int8_t subset[MAX_OFFERED + 1][MAX_SUBSETS]     # of so many tickets, by size and then in the order of their numbers
    int8_t n_subsets[MAX_OFFERED + 1]

cdef struct State:
    # given
    uint64_t tickets[MAX_SEATS]             # sets of tickets: bit 0 is number 1
    uint64_t offered[MAX_SEATS]             # dealt or drawn, not yet chosen from
    uint64_t chosen[MAX_SEATS]              # GL-91: what each will keep when all have chosen
    uint64_t shuffled                       # the top of the ticket deck, without order
    Routes routes[MAX_SEATS]
    uint64_t harbours[MAX_SEATS]
    int16_t score[MAX_SEATS]
    int16_t turns_played
    int16_t turns_left                      # GL-80, or NOT_YET
    int16_t asked                           # PAYING: the route, or MAX_ROUTES + the city; EXCHANGING: the kind given
    int8_t hand[MAX_SEATS][N_PILE]
    int8_t deck[N_PILE]
    int8_t discard[N_CARDS]
    int8_t row[N_CARDS]
    int8_t under_ticket[MAX_TICKETS]        # GL-R5: the returned tickets below the shuffled ones, from the top
    int8_t under_by[MAX_TICKETS]            # who returned it, + BATCH at the first of a batch
    int8_t n_under
    int8_t n_shuffled
    int8_t n_tickets[MAX_SEATS]
    int8_t n_offered[MAX_SEATS]
    int8_t n_chosen[MAX_SEATS]              # 0: not yet; UNKNOWN in a view
    int8_t trains[MAX_SEATS]                # GL-14: chosen, until all have chosen
    int8_t supply[MAX_SEATS][N_DECKS]
    int8_t box[MAX_SEATS][N_DECKS]
    int8_t harbours_left[MAX_SEATS]
    int8_t decision
    int8_t seat                             # who is dealt to, chooses or moves
    int8_t n_players
    int8_t split                            # trains of the fixed assortment, or 0
    int8_t first_row                        # GL-11: until the row of the setup lies
    int8_t sweeps                           # GL-R3: in succession
    int8_t cards_due                        # travel cards that the player on turn has still to take
    int8_t from_deck                        # of the next card turned up or drawn unseen
    int8_t to_draw                          # tickets still to be drawn
    int8_t observer                         # the seat that this is a view of, or NOBODY
    # what the players can deduce (GL-95 to GL-98); the rules do not look at it
    int8_t known[MAX_SEATS][N_CARDS]        # cards of a hand that all have seen
    int8_t fresh[MAX_SEATS][N_CARDS]        # by observer: unseen, in the deck or drawn since it was last remade
    int8_t stale[MAX_SEATS][N_CARDS]        # by observer: unseen, in the others' hands since before that (HELD in the rules)
    int8_t held[MAX_SEATS][MAX_SEATS][N_DECKS]      # by observer: cards of another's hand that are of `stale`
    uint64_t lost[MAX_SEATS][MAX_SEATS]     # by observer: tickets he returned that this player may have drawn since
    # derived, kept up to date by `take_route`, `gain` and `spend`
    Routes closed                           # GL-40, GL-46: to everybody
    Routes barred[MAX_SEATS]                # GL-45: the other lanes of one's own
    uint64_t touched[MAX_SEATS]             # nodes at the end of one's routes
    int8_t group[MAX_SEATS][MAX_NODES]      # nodes joined by one's routes have the same number
    int8_t n_row
    int8_t n_deck[N_DECKS]
    int8_t n_cards[MAX_SEATS][N_DECKS]
