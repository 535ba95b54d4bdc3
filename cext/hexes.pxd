"""Sets of hexes as bits, for the games that are played on a board of hexes."""
from libc.stdint cimport uint64_t

cpdef enum:
    HEX_WORDS = 4
    MAX_HEXES = 256             # 64 * HEX_WORDS
    MAX_NEIGHBOURS = 6

cdef extern from *:
    """
    #define lowest_bit(x) __builtin_ctzll(x)
    #define bit_count(x) __builtin_popcountll(x)
    """
    int lowest_bit(uint64_t x) noexcept nogil
    int bit_count(uint64_t x) noexcept nogil

cdef struct Hexes:
    uint64_t word[HEX_WORDS]

cdef inline bint has_hex(const Hexes* set_, int hex_) noexcept nogil:
    return (set_.word[hex_ >> 6] >> (hex_ & 63)) & 1

cdef inline void add_hex(Hexes* set_, int hex_) noexcept nogil:
    set_.word[hex_ >> 6] |= <uint64_t>1 << (hex_ & 63)

cdef inline void drop_hex(Hexes* set_, int hex_) noexcept nogil:
    set_.word[hex_ >> 6] &= ~(<uint64_t>1 << (hex_ & 63))

cdef inline void add_hexes(Hexes* set_, const Hexes* other) noexcept nogil:
    cdef int i
    for i in range(HEX_WORDS):
        set_.word[i] |= other.word[i]

cdef inline void drop_hexes(Hexes* set_, const Hexes* other) noexcept nogil:
    cdef int i
    for i in range(HEX_WORDS):
        set_.word[i] &= ~other.word[i]

cdef inline int count_hexes(const Hexes* set_) noexcept nogil:
    cdef int i, n = 0
    for i in range(HEX_WORDS):
        n += bit_count(set_.word[i])
    return n

cdef inline bint is_within(const Hexes* set_, const Hexes* other) noexcept nogil:
    """Is every hex of the set one of the other's?"""
    cdef uint64_t outside = 0
    cdef int i
    for i in range(HEX_WORDS):
        outside |= set_.word[i] & ~other.word[i]
    return outside == 0

cdef inline int list_hexes(const Hexes* set_, int* out) noexcept nogil:
    """The hexes of the set, ascending; how many."""
    cdef uint64_t word
    cdef int i, n = 0
    for i in range(HEX_WORDS):
        word = set_.word[i]
        while word:
            out[n] = i * 64 + lowest_bit(word)
            word &= word - 1
            n += 1
    return n
