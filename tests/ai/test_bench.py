"""The benchmark's signature: it changes only when play changes, and then this file changes with it."""
from threading import Event

from railwright.ai.bench import bench, signature

SIGNATURE = "dca76ca630db"


def test_play_is_what_it_was():
    assert signature(list(bench(Event()))) == SIGNATURE
