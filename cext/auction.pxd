"""The ascending auction of a share, as Chicago Express and American Rails hold it."""
from libc.stdint cimport int8_t, int16_t, int32_t

cpdef enum:
    NOBODY = -1

cdef struct Auction:
    int16_t bid                 # the standing bid, 0 when there is none
    int16_t minimum             # the least first bid
    int8_t company
    int8_t opener
    int8_t speaker              # who bids or passes now
    int8_t bidder               # who made the standing bid, or NOBODY
    int8_t in_bits              # the players who have not passed

cdef inline void open_auction(Auction* a, int company, int opener, int minimum, int n_players) noexcept nogil:
    a.company = company
    a.opener = a.speaker = opener
    a.minimum = minimum
    a.bid = 0
    a.bidder = NOBODY
    a.in_bits = (1 << n_players) - 1

cdef inline int least_bid(const Auction* a) noexcept nogil:
    return a.bid + 1 if a.bidder != NOBODY else a.minimum

cdef inline void next_speaker(Auction* a, int n_players) noexcept nogil:
    """Clockwise, the next player who has not passed."""
    if a.in_bits == 0:
        return
    while True:
        a.speaker = a.speaker + 1 if a.speaker + 1 < n_players else 0
        if (a.in_bits >> a.speaker) & 1:
            return

cdef inline void make_bid(Auction* a, int amount, int n_players) noexcept nogil:
    a.bid = amount
    a.bidder = a.speaker
    next_speaker(a, n_players)

cdef inline void pass_bid(Auction* a, int n_players) noexcept nogil:
    a.in_bits &= ~(1 << a.speaker)
    next_speaker(a, n_players)

cdef inline bint is_settled(const Auction* a) noexcept nogil:
    """Everybody but the highest bidder has passed, or simply everybody."""
    return a.in_bits == 0 or (a.bidder != NOBODY and a.in_bits == 1 << a.bidder)

cdef inline const char* auction_fault(const Auction* a, const int32_t* cash, int n_players) noexcept nogil:
    """What is wrong with an auction that came from outside; NULL: nothing. The company is the game's to check."""
    if not (0 <= a.opener < n_players and 0 <= a.speaker < n_players and NOBODY <= a.bidder < n_players):
        return b"the auction names a player who does not play"
    if a.in_bits <= 0 or a.in_bits >= 1 << n_players or not (a.in_bits >> a.speaker) & 1 or is_settled(a):
        return b"the auction has nobody to speak"
    if a.minimum < 0:
        return b"the minimum bid is out of range"
    if a.bidder == NOBODY:
        if a.bid != 0:
            return b"a bid without a bidder"
        return NULL
    if a.bidder == a.speaker or not (a.in_bits >> a.bidder) & 1 or not a.minimum <= a.bid <= cash[a.bidder]:
        return b"the standing bid does not fit its bidder"
    return NULL

cdef inline int dividend_per_share(int income, int shares) noexcept nogil:
    """Rounded up, for each share by itself; 0 while no share is sold."""
    return (income + shares - 1) // shares if shares > 0 else 0
