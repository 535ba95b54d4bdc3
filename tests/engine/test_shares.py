"""What the games of companies and shares say in words."""
import pytest
from railwright.engine.shares import dollars


@pytest.mark.parametrize("value, words", [(5.2, "+$5"), (-3.6, "-$4"), (0.3, "$0"), (-0.3, "$0"), (0.0, "$0")])
def test_a_gain_or_a_loss_in_whole_dollars(value, words):
    assert dollars(value) == words
