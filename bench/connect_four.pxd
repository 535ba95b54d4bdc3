"""Connect four: the figures and the state (rules C4-1 to C4-4)."""
from libc.stdint cimport int8_t, uint64_t

cpdef enum:
    N_PLAYERS = 2
    N_COLUMNS = 7               # C4-1
    N_ROWS = 6                  # C4-1
    COLUMN_BITS = 7             # one more than there are rows: no line runs over from one column into the next
    N_CELLS = 42
    NOBODY = -1

cdef struct State:              # no pointers: memcpy is a copy
    uint64_t men[N_PLAYERS]     # bit COLUMN_BITS * column + row
    int8_t height[N_COLUMNS]    # men in each column
    int8_t n_played
    int8_t winner               # or NOBODY
