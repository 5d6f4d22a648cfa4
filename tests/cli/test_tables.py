"""The tables that people read."""

from croupier.cli.tables import NO_BREAK, WIDTH, Column, Row, render_grid, render_table, render_text


def test_words_stand_left_and_numbers_right() -> None:
    columns = [Column("BET"), Column("STAKE", right=True), Column("")]
    table = render_table("Title", columns, [Row(["red", "5.00", "won"]), Row(["dozen:1", "10.00", ""])])
    assert table.splitlines() == [
        "Title",
        "",
        "BET      STAKE",
        "red       5.00  won",
        "dozen:1  10.00",
    ]


def test_a_column_that_may_wrap_gives_way_to_keep_the_page() -> None:
    columns = [Column("CLAUSE"), Column("SUMMARY", wraps=True), Column("TESTS", right=True)]
    lines = render_table("Title", columns, [Row(["5.1", "word " * 60, "3"])]).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert lines[3].startswith("5.1     word word")
    assert lines[3].endswith("    3")
    assert all(line.startswith("        word") for line in lines[4:])
    assert sum(line.count("word") for line in lines) == 60


def test_a_table_that_fits_is_not_wrapped() -> None:
    cell = "word " * 10
    lines = render_table("Title", [Column("A", wraps=True)], [Row([cell])]).splitlines()
    assert lines[3:] == [cell.rstrip()]


def test_what_may_not_be_broken_stays_together() -> None:
    cell = " ".join(["12/15,"] * 13 + [f"2x{NO_BREAK}25/26/28/29"])
    lines = render_table("Title", [Column("BETS", wraps=True)], [Row([cell])]).splitlines()
    assert lines[-1] == "2x 25/26/28/29"
    assert NO_BREAK not in "".join(lines)


def test_lines_below_a_row_are_indented() -> None:
    rows = [Row(["5.1"], ["test_a", "test_b"]), Row(["5.2"])]
    lines = render_table("Title", [Column("CLAUSE")], rows).splitlines()
    assert lines[3:] == ["5.1", "    test_a", "    test_b", "5.2"]


def test_a_table_without_rows_is_its_heading() -> None:
    assert render_table("Title", [Column("A"), Column("B")], []).splitlines() == ["Title", "", "A  B"]


def test_a_paragraph_keeps_the_page() -> None:
    lines = render_text("word " * 60, "  ").splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert all(line.startswith("  word") for line in lines)


def test_a_grid_fills_its_lines() -> None:
    lines = render_grid([str(number) for number in range(60)]).splitlines()
    assert [len(line.split()) for line in lines] == [25, 25, 10]
    assert lines[0].startswith(" 0   1   2")


def test_a_cell_wider_than_the_page_has_a_line_of_its_own() -> None:
    assert render_grid(["x" * 120, "y"]).splitlines() == ["x" * 120, "y".rjust(120)]
