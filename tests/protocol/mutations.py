"""Protocol lines with something wrong in them, by seed: a letter, a word or a number of a good line."""
import re
from collections.abc import Iterator, Sequence
from random import Random

from protocol.transcripts import HOME, read, sent_bytes

ODD_WORDS = (
    b"", b"0", b"-1", b"1e9", b"99999999999999999999999", b"0x10", "١".encode(), b"\xff\xfe", b"\x00", b"?", b"none", b";;;", b"=", b"bid:",
    b"bid:-1", b":", b"::", b"build:prr:zz99", b"a" * 3000, "\u2028".encode(), b"%s%n", b"{}", b"../../etc/passwd",
    b"state", b"moves", b"/", b".",
)
ODD_BYTES = b" \t:;=,.-+?0917aAzZ\x00\x1b\x7f\x80\xc3\xff\r"


def good_lines() -> list[bytes]:
    """The lines of all transcripts."""
    return [sent_bytes(exchange.sent) for path in sorted(HOME.glob("*.txt")) for exchange in read(path)]


def mutated(line: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    words = line.split(b" ")
    at = rng.randrange(len(words))
    kind = rng.randrange(10)
    if kind == 0:
        words[at] = rng.choice(ODD_WORDS)
    elif kind == 1:
        words.insert(at, rng.choice(ODD_WORDS))
    elif kind == 2:
        del words[at]
    elif kind == 3:
        words.insert(at, words[at])
    elif kind == 4:
        words[at] = rng.choice(rng.choice(others).split(b" "))
    elif kind == 5:
        rng.shuffle(words)
    elif kind == 6:
        words += rng.choice(others).split(b" ")
    elif kind == 7:
        words[at] = b"".join(bytes([rng.choice(b"0123456789")]) if chr(letter).isdigit() else bytes([letter]) for letter in words[at])
    elif kind == 8:
        words[at] = with_another_number(words[at], rng)
    else:
        return with_other_bytes(line, rng)
    return b" ".join(words)


def with_another_number(word: bytes, rng: Random) -> bytes:
    """One number of the word changed a little, or a lot: a state that play may never reach."""
    numbers = list(re.finditer(rb"[0-9]+", word))
    if not numbers:
        return word
    found = rng.choice(numbers)
    other = rng.choice((int(found[0][:15]) + rng.choice((-1, 1, 2)), rng.randrange(-3, 130), rng.randrange(40_000)))
    return word[:found.start()] + str(other).encode() + word[found.end():]


def with_other_bytes(line: bytes, rng: Random) -> bytes:
    letters = bytearray(line)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(letters) + 1)
        letters[at:at + rng.randint(0, 2)] = bytes([rng.choice(ODD_BYTES)]) if rng.random() < 0.8 else b""
    return bytes(letters)


def lines(seed: int, n: int, good: Sequence[bytes]) -> Iterator[bytes]:
    """Mutated lines, now and then a good one so that the position moves on."""
    rng = Random(seed)
    for _ in range(n):
        line = rng.choice(good)
        for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
            line = mutated(line, good, rng)
        yield line.replace(b"\n", b" ")
