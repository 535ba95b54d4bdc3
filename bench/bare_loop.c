/* The bare loop that playouts are compared with: copies a state, picks one of its bits at random, nothing else. */
#include <stdint.h>
#include <string.h>

static uint64_t word[4];        /* xoshiro256++, as in cext/rng.pxd */

static uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static uint64_t draw(void) {
    uint64_t result = rotate(word[0] + word[3], 23) + word[0], t = word[1] << 17;
    word[2] ^= word[0];
    word[3] ^= word[1];
    word[1] ^= word[2];
    word[0] ^= word[3];
    word[2] ^= t;
    word[3] = rotate(word[3], 45);
    return result;
}

/* Both states have room for `size` bytes, a multiple of 8. The bit that was picked is flipped, so that no round can be left out. */
void copy_and_pick(uint64_t *state, uint64_t *copy, size_t size, long rounds) {
    uint64_t set, pick;
    for (int i = 0; i < 4; i++)
        word[i] = i + 1;
    for (long round = 0; round < rounds; round++) {
        memcpy(copy, state, size);
        set = copy[0] | 1;
        for (pick = draw() % __builtin_popcountll(set); pick > 0; pick--)
            set &= set - 1;
        copy[0] ^= (set & -set) ^ draw();
        uint64_t *other = state;
        state = copy;
        copy = other;
    }
}
