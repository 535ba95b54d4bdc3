"""Hexes: sets of them as the core's words, and distances over land that can be passed."""
from hypothesis import given
from hypothesis import strategies as st
from railwright.cext.hexes import MAX_HEXES
from railwright.engine.hexes import bits_of, distances, numbers_of

FAR = 99


@given(st.sets(st.integers(0, MAX_HEXES - 1)))
def test_sets_there_and_back(numbers):
    assert numbers_of(bits_of(numbers)) == sorted(numbers)


def test_distances_along_a_line_end_at_far():
    """A way that is longer than `far` counts as none, and the search for it ends."""
    line = [[j for j in (i - 1, i + 1) if 0 <= j < 150] for i in range(150)]
    assert distances(line, 0, [True] * 150, FAR) == [min(i, FAR) for i in range(150)]


def test_a_hex_that_cannot_be_passed_is_reached_and_no_further():
    line = [[1], [0, 2], [1, 3], [2]]
    assert distances(line, 0, [True, True, False, True], FAR) == [0, 1, 2, FAR]
