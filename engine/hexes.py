"""Boards of hexes: reading them, and going from names to the core's numbers and back."""
from collections import deque
from heapq import heappop, heappush
from typing import Any

from railwright.cext.hexes import HEX_WORDS, MAX_HEXES
from railwright.engine.boards import Reader


def read_hexes(board: Reader) -> tuple[list[Reader], dict[str, int]]:
    """The hexes of a board file, and the number of each by its id in lower case."""
    hexes = board.at("hexes").each()
    if not 1 <= len(hexes) <= MAX_HEXES:
        raise board.fail(f"has {len(hexes)} hexes", f"1 to {MAX_HEXES}")
    numbers: dict[str, int] = {}
    for hex_ in hexes:
        name = hex_.at("id").text().lower()
        if not name.isascii() or not name.isalnum() or name in numbers:
            raise hex_.at("id").fail(f"is {name!r}", "a name of letters and digits that no other hex has")
        numbers[name] = len(numbers)
        hex_.at("col").number(0, 99)
        hex_.at("row").number(0, 99)
    return hexes, numbers


def read_neighbours(hexes: list[Reader], numbers: dict[str, int]) -> list[list[int]]:
    """Who touches whom. A hex has at most six neighbours, and what touches is touched."""
    result = []
    for hex_ in hexes:
        entry = hex_.at("neighbours")
        names = [entry.at(key) for key in entry.value] if isinstance(entry.value, dict) else entry.each()
        found = []
        for name in names:
            number = numbers.get(name.text().lower())
            if number is None:
                raise name.fail(f"is {name.value!r}", "the id of a hex")
            found.append(number)
        if len(found) > 6 or len(set(found)) < len(found):
            raise entry.fail(f"names {len(found)} hexes", "at most six, each once")
        result.append(found)
    for i, found in enumerate(result):
        for j in found:
            if i not in result[j] or i == j:
                raise hexes[i].fail(f"touches {hexes[j].value['id']}, which does not touch it", "neighbours on both sides")
    return result


def distances(neighbours: list[list[int]], goal: int, passable: list[bool], far: int) -> list[int]:
    """Hexes from each hex to the goal over passable land; `far` where there is no way, or a longer one."""
    found = {goal: 0}
    queue = deque([goal])
    while queue:
        here = queue.popleft()
        for there in neighbours[here]:
            if there not in found:
                found[there] = found[here] + 1
                if passable[there]:
                    queue.append(there)
    return [min(found.get(i, far), far) for i in range(len(neighbours))]


def costs(neighbours: list[list[int]], goal: int, cost: list[int], far: int) -> list[int]:
    """What it costs from each hex to the goal, every hex on the cheapest way paid but the first; `far` where there is no way."""
    result = [far] * len(neighbours)
    queue = [(0, goal)]
    result[goal] = 0
    while queue:
        so_far, here = heappop(queue)
        if so_far > result[here]:
            continue
        for there in neighbours[here]:
            further = so_far + cost[here]
            if further < result[there]:
                result[there] = further
                heappush(queue, (further, there))
    return result


def bits_of(numbers: Any) -> list[int]:
    """A set of hexes as the words of the core."""
    words = [0] * HEX_WORDS
    for number in numbers:
        words[number >> 6] |= 1 << (number & 63)
    return words


def numbers_of(words: list[int]) -> list[int]:
    """The hexes of a set that came from the core."""
    return [64 * i + bit for i, word in enumerate(words) for bit in range(64) if word >> bit & 1]
