"""One generator for the whole project: xoshiro256++, seeded and split through splitmix64."""
from libc.stdint cimport uint32_t, uint64_t

cdef struct Rng:
    uint64_t word[4]

cdef inline uint64_t mix(uint64_t x) noexcept nogil:
    """splitmix64's finisher: spreads neighbouring numbers over all 64 bits."""
    x += <uint64_t>0x9E3779B97F4A7C15
    x = (x ^ (x >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t>0x94D049BB133111EB
    return x ^ (x >> 31)

cdef inline void seed(Rng* rng, uint64_t value, uint64_t stream) noexcept nogil:
    """Generator number `stream` of seed `value`: threads and playouts take a stream each."""
    cdef uint64_t x = mix(value) ^ mix(~stream)
    cdef int i
    for i in range(4):
        x = mix(x)
        rng.word[i] = x

cdef inline uint64_t rotate(uint64_t x, int k) noexcept nogil:
    return (x << k) | (x >> (64 - k))

cdef inline uint64_t draw(Rng* rng) noexcept nogil:
    """The next 64 random bits (xoshiro256++ by Blackman and Vigna, public domain)."""
    cdef uint64_t* s = rng.word
    cdef uint64_t result = rotate(s[0] + s[3], 23) + s[0]
    cdef uint64_t t = s[1] << 17
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= t
    s[3] = rotate(s[3], 45)
    return result

cdef inline uint32_t below(Rng* rng, uint32_t n) noexcept nogil:
    """A number from 0 to n - 1; the bias of the multiplication, n / 2^32, is far below what can be measured."""
    return <uint32_t>(((draw(rng) >> 32) * n) >> 32)

cdef inline float uniform(Rng* rng) noexcept nogil:
    """A number from 0 up to, but not including, 1."""
    return <float>(draw(rng) >> 40) * <float>(1.0 / 16777216.0)
