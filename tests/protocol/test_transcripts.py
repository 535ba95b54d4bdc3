"""Every command and every error of the protocol, as golden transcripts."""
import re

import pytest
from protocol.transcripts import HOME, Driven, pattern, read, sent_bytes
from railwright.cli.protocol.engine import COMMANDS

PATHS = sorted(HOME.glob("*.txt"))


@pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])
def test_transcript(path):
    driven, is_thinking = Driven(), False
    for exchange in read(path):
        before = driven.snapshot()
        is_thinking = exchange.sent != "stop" and (is_thinking or exchange.sent.startswith("go infinite"))
        answer = driven.send(sent_bytes(exchange.sent), wait=not is_thinking)
        assert re.fullmatch(pattern(exchange.expected), answer), f"{exchange.sent!r} expected {exchange.expected}, got:\n{answer}"
        if answer.startswith("error"):
            assert driven.snapshot() == before


def test_every_command_is_in_a_transcript():
    sent = {exchange.sent.split()[0] for path in PATHS for exchange in read(path) if exchange.sent.strip()}
    assert set(COMMANDS) <= sent


def test_every_transcript_says_why_it_is_there():
    for path in PATHS:
        assert path.read_text(encoding="utf-8").startswith("# ")
