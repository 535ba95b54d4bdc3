"""Pictures that fit the terminal."""
from railwright.cli.terminal.screen import blocks, changes, heading, label_width, parts, squeezed, widest, wrapped

MAP = "  a  b\n1 .  .\n\n  a  b\n\nlegend"
TABLE = ["name       cash     shares", "player 1    $40          -", "player 2    $7           2"]


def test_blocks_keep_the_column_names_with_their_map():
    assert blocks(MAP) == [["  a  b", "1 .  .", "", "  a  b"], ["legend"]]


def test_changes_mark_whole_words_of_tables_only():
    new = [*TABLE[:2], "player 2    $7           3"]
    assert changes(TABLE, new) == [set(), set(), {25}]
    assert changes([], new) == [set(), set(), set()]
    assert changes(["a 1"], ["a 2"]) == [set()]


def test_a_table_is_squeezed_no_more_than_needed():
    marks = [set(), set(), {25}]
    narrow, moved = squeezed(TABLE, marks, 24)
    assert widest(narrow) == 24
    assert moved == [set(), set(), {23}]
    assert narrow[2][23] == "2"
    least, _ = squeezed(TABLE, marks, 5)
    assert least == ["name      cash  shares", "player 1   $40       -", "player 2   $7        2"]


def test_a_wide_map_is_cut_into_parts_or_around_what_is_new():
    assert parts(105, 80, set()) == [0, 25]
    assert parts(200, 80, set()) == [0, 80, 120]
    assert parts(200, 80, {100, 110}) == [65]
    assert parts(200, 80, {3}) == [0]
    assert parts(200, 80, {3, 150}) == [0, 80, 120]


def test_the_parts_of_a_map_keep_their_row_numbers():
    rows = ["   a  b", *(f"{row:>2} .  ." for row in range(8, 14)), "    .  ."]
    assert label_width(rows) == 3
    assert label_width(["word", *rows]) == 0
    assert label_width(TABLE) == 0


def test_lines_wrap_under_their_text():
    assert heading("houses      20 of 20 left") == 12
    assert wrapped("end    one two three", 12, 7) == ["end    one", "       two", "       three"]
    assert wrapped("a very long line", None, 0) == ["a very long line"]
