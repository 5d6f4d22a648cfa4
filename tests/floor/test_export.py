"""Exports: a table, a day or a round, as JSON lines or CSV."""

import csv
import datetime
import io
import json
from pathlib import Path
from typing import Any

import pytest

from cli.running import refusal, run, run_process
from croupier.floor.exports.export import csv_lines
from croupier.floor.significant.telling import tell
from croupier.table import commands as c
from croupier.table import postings
from floor.audit_journal import at_table, change_file, records_of, write_journal
from floor.audit_play import GAMES, RandomTable
from floor.audit_scenes import interrupted, money_wheel, roulette, shortfall
from table.rig import DEALER, MANAGER, SHIFT_MANAGER, START_MS, SUPERVISOR, TIMER, Play, player

KINDS = ("records", "rounds", "bets", "postings", "meters", "events")


@pytest.fixture
def journal(tmp_path: Path) -> str:
    plays = (roulette(), at_table("T2", money_wheel()), at_table("T4", interrupted()))
    return write_journal(tmp_path / "floor.db", *plays)


def rows(journal: str, *words: str) -> list[dict[str, str]]:
    """The rows of a CSV export."""
    ran = run("export", journal, "--format", "csv", *words)
    assert (ran.status, ran.err) == (0, "")
    return [*csv.DictReader(io.StringIO(ran.out))]


def lines(journal: str, *words: str) -> list[Any]:
    """The lines of a JSON export."""
    ran = run("export", journal, "--format", "jsonl", *words)
    assert (ran.status, ran.err) == (0, "")
    return [json.loads(line) for line in ran.out.splitlines()]


def test_records_are_given_whole_with_payload_decoded(journal: str) -> None:
    given = [json.loads(line) for line in run("export", journal, "--table", "T1").out.splitlines()]
    records = records_of(roulette())
    assert len(given) == len(records)
    assert given[7] == {
        "table": "T1",
        "sequence": 8,
        "time": "2023-11-14T22:13:20.000Z",
        "actor": "terminal-1",
        "sender": "terminal-1",
        "number": 2,
        "part": 0,
        "kind": "bets-changed",
        "version": 1,
        "payload": json.loads(records[7].payload),
        "previous": records[6].hash.hex(),
        "hash": records[7].hash.hex(),
    }


def test_rounds_say_how_they_ended(journal: str) -> None:
    first, second, third = rows(journal, "--table", "T1", "--what", "rounds")
    assert first == {
        "round": "1",
        "opened": "2023-11-14T22:13:20.000Z",
        "closed": "2023-11-14T22:13:20.000Z",
        "ended": "2023-11-14T22:13:20.000Z",
        "state": "settled",
        "result": "16",
        "cause": "",
        "clause": "mbs-roulette:6.3",
        "excess_clause": "",
        "staked": "35.00",
        "returned": "20.00",
        "corrections": "1",
        "layouts": "",
    }
    assert (second["state"], second["cause"], second["clause"]) == ("voided", "no-spin", "mbs-roulette:5.15")
    assert (second["result"], second["staked"], second["returned"]) == ("", "5.00", "5.00")
    assert (third["result"], third["staked"], third["returned"]) == ("8", "20.00", "380.00")


def test_settled_bets_that_a_decision_gives_back_are_one_correction_of_their_round(tmp_path: Path) -> None:
    play = Play().open(("1", "2"), 10_000)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 1_000, "odd": 500})
    play.bet("2", {"red": 1_000})
    running = c.Decide(ruling="return-bets", reason="slipped", round=1, bets=(c.NamedBet("1", "odd"),))
    play.do(SHIFT_MANAGER, running)
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="2"))
    play.do(DEALER, c.ConfirmResult(result="2"))
    journal = write_journal(tmp_path / "before.db", play)
    (before,) = rows(journal, "--table", "T1", "--what", "rounds")
    assert (before["corrections"], before["clause"]) == ("0", "mbs-roulette:4.1"), "it ran still"
    both = (c.NamedBet("1", "red"), c.NamedBet("2", "red"))
    play.do(SHIFT_MANAGER, c.Decide(ruling="return-bets", reason="a stuck screen", round=1, bets=both))
    play.do(SHIFT_MANAGER, c.Decide(ruling="none", reason="heard", round=1))
    journal = write_journal(tmp_path / "after.db", play)

    (after,) = rows(journal, "--table", "T1", "--what", "rounds")

    assert (after["state"], after["result"], after["returned"]) == ("settled", "2", "25.00")
    assert (after["corrections"], after["clause"]) == ("1", "mbs-roulette:6.1")
    play.do(MANAGER, c.CorrectResult(round=1, result="4", reason="seen on camera"), second=SUPERVISOR)
    journal = write_journal(tmp_path / "corrected.db", play)
    (again,) = rows(journal, "--table", "T1", "--what", "rounds")
    assert (again["corrections"], again["clause"]) == ("2", "mbs-roulette:6.3")


def test_bets_say_what_they_got(journal: str) -> None:
    given = [tuple(row.values()) for row in rows(journal, "--table", "T1", "--what", "bets")]
    assert given[:4] == [
        ("1", "1", "red", "10.00", "10.00", "yes", "20.00", "", ""),
        ("1", "1", "straight:17", "5.00", "5.00", "no", "0.00", "", ""),
        ("1", "2", "black", "20.00", "20.00", "no", "0.00", "", ""),
        ("2", "1", "split:10/11", "1.00", "0.00", "no", "1.00", "", ""),
    ]
    apportioned = rows(journal, "--table", "T2", "--what", "bets")
    assert [(row["stake"], row["counted"], row["clause"]) for row in apportioned] == [
        ("800.00", "569.39", "rws-money-wheel:5.1.1"),
        ("600.00", "427.04", "rws-money-wheel:5.1.1"),
        ("5.00", "5.00", "rws-money-wheel:5.1.2"),
    ]


def test_postings_are_every_movement_of_money(journal: str) -> None:
    moved = [
        (str(number), posting.source, posting.destination, posting.cents)
        for number, entry in enumerate(roulette().entries, start=1)
        for posting in postings(entry.event)
    ]
    given = rows(journal, "--table", "T1", "--what", "postings")
    assert [
        (row["sequence"], row["source"], row["destination"], round(float(row["amount"]) * 100))
        for row in given
    ] == moved


def test_meters_are_read_by_seat_and_table(journal: str) -> None:
    table, first, second = lines(journal, "--table", "T1", "--what", "meters")
    assert [row["seat"] for row in (table, first, second)] == [None, "1", "2"]
    assert (first["cash_in"], first["turnover"], first["vouchers_out"]) == ("500.00", "20.00", "505.00")
    assert table["games_played"] == first["games_played"] + second["games_played"]


def test_significant_events_say_who_and_why(journal: str) -> None:
    given = rows(journal, "--table", "T1", "--what", "events")
    told = {row["event"] for row in given}
    assert {"table-opened", "result-corrected", "round-voided", "seat-locked", "seat-unlocked"} <= told
    correction = next(row for row in given if row["event"] == "result-corrected")
    assert (correction["actor"], correction["position"]) == ("manager-1", "pit-manager")
    assert (correction["second"], correction["clause"]) == ("supervisor-1", "mbs-roulette:6.3")
    assert correction["what"] == "The result of round 1 is corrected from 17 to 16: seen on camera."
    assert "command-refused" not in told
    with_refusals = rows(journal, "--table", "T1", "--what", "events", "--refusals")
    assert len(with_refusals) == len(given) + 1
    assert with_refusals[-1]["what"].startswith("cash-out is refused (no-credits): ")


def test_interruptions_are_events_with_their_length(journal: str) -> None:
    first = next(
        row
        for row in rows(journal, "--table", "T4", "--what", "events")
        if row["event"] == "table-interrupted"
    )
    assert first["what"] == "An interruption of 20.0 seconds met the phase betting; consequence: void."


def test_every_event_can_be_told(tmp_path: Path) -> None:
    """What random play brings up has a sentence, whatever it is."""
    plays = [at_table(f"T{n}", RandomTable(n, *game).rounds(30)) for n, game in enumerate(GAMES)]
    seen = set()
    for play in (*plays, shortfall()):
        for entry in play.entries:
            seen.add(type(entry.event))
            assert tell(entry.event)[-1:] in (".", "?", "!"), entry.event
    assert len(seen) > 30


def test_a_round_is_given_with_what_was_done_to_it_later(journal: str) -> None:
    given = [line["sequence"] for line in lines(journal, "--table", "T1", "--round", "1")]
    assert given == [*range(7, 20)]
    (only,) = rows(journal, "--table", "T1", "--round", "1", "--what", "rounds")
    assert only["round"] == "1"
    assert {row["round"] for row in rows(journal, "--table", "T1", "--round", "2", "--what", "bets")} == {"2"}
    amounts = [row["amount"] for row in rows(journal, "--table", "T1", "--round", "3", "--what", "postings")]
    assert amounts == ["20.00", "20.00", "380.00"]


def test_the_meters_of_a_round_are_those_behind_it(journal: str) -> None:
    before = lines(journal, "--table", "T1", "--round", "2", "--what", "meters")[0]
    after = lines(journal, "--table", "T1", "--what", "meters")[0]
    assert (before["vouchers_out"], after["vouchers_out"]) == ("0.00", "505.00")


def two_days() -> Play:
    """Rounds around midnight in Singapore, which is 16:00 in UTC."""
    play = Play(betting_seconds=None).open(("1",), 10_000)
    midnight = datetime.datetime(2023, 11, 15, 16, 0, tzinfo=datetime.UTC)
    play.at_ms = round(midnight.timestamp() * 1000) - 1
    assert play.at_ms > START_MS
    play.round({"1": {"red": 1_000}}, "1")
    play.wait(0.001)
    play.round({"1": {"red": 2_000}}, "1")
    play.do(DEALER, c.OpenRound())
    return play


def test_a_day_begins_with_the_first_shift_by_the_clocks_of_the_zone(tmp_path: Path) -> None:
    journal = write_journal(tmp_path / "floor.db", two_days())

    def numbers(day: str, *words: str) -> list[str]:
        return [
            row["round"] for row in rows(journal, "--table", "T1", "--what", "rounds", "--day", day, *words)
        ]

    midnight = ("--shifts", "00:00", "--zone")
    assert numbers("2023-11-15") == ["1", "2", "3"]
    assert numbers("2023-11-15", "--zone", "Asia/Singapore") == ["1", "2", "3"]
    assert numbers("2023-11-15", "--shifts", "16:00,04:00") == ["2", "3"]
    assert numbers("2023-11-14", "--shifts", "16:00,04:00") == ["1"]
    assert numbers("2023-11-15", *midnight, "Asia/Singapore") == ["1"]
    assert numbers("2023-11-16", *midnight, "Asia/Singapore") == ["2", "3"]
    assert numbers("2023-11-16", *midnight, "+08:00") == ["2", "3"]
    assert numbers("2023-11-17") == []
    words = ("--table", "T1", "--day", "2023-11-15", *midnight, "Asia/Singapore")
    assert lines(journal, *words, "--what", "meters")[0]["turnover"] == "10.00"
    assert lines(journal, *words)[-1]["kind"] == "round-settled"
    assert [row["state"] for row in rows(journal, "--table", "T1", "--what", "rounds")] == [
        "settled",
        "settled",
        "running",
    ]


def test_the_meters_of_a_quiet_day_stand_where_they_stood(tmp_path: Path) -> None:
    journal = write_journal(tmp_path / "floor.db", two_days())

    def meters(day: str) -> list[dict[str, str]]:
        return rows(journal, "--table", "T1", "--what", "meters", "--day", day)

    last = meters("2023-11-15")
    assert (last[0]["seat"], last[0]["turnover"]) == ("", "30.00")
    assert meters("2023-11-16") == meters("2024-11-16") == last
    assert meters("2023-11-13") == [], "there was no table yet"
    assert rows(journal, "--table", "T1", "--what", "postings", "--day", "2023-11-16") == []


@pytest.mark.parametrize("words", [(), ("--zone", "Asia/Singapore"), ("--shifts", "00:30,16:00")])
def test_a_day_is_the_same_in_exports_and_in_reports(tmp_path: Path, words: tuple[str, ...]) -> None:
    play = Play().open(("1",), 50_000)
    for _ in range(30):
        play.round({"1": {"red": 100}}, "2")
        play.wait(5_000)
    journal = write_journal(tmp_path / "floor.db", play)
    reported = run("report", journal, "--by", "day", "--json", *words).json["rows"]
    assert len(reported) > 1
    turnover = 0
    for row in reported:
        of_day = ("--table", "T1", "--day", row["day"], *words, "--what")
        assert len(rows(journal, *of_day, "rounds")) == row["rounds"]
        turnover += 100 * row["rounds"]
        assert rows(journal, *of_day, "meters")[0]["turnover"] == f"{turnover / 100:.2f}"


def clock_set_back() -> Play:
    """A round on the 14th and one on the 15th; then the clock is set back, and the same again."""
    play = Play().open(("1",), 50_000)
    play.round({"1": {"red": 100}}, "2")
    play.wait(2 * 3600)
    play.do(DEALER, c.OpenSeat(seat="2", kind="rapid-fusion"))
    play.do(player("2"), c.BuyCredits(seat="2", cents=3_000))
    play.round({"1": {"red": 200}, "2": {"red": 300}}, "1")
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 10_000})
    play.at_ms -= 2 * 3600 * 1000
    play.do(TIMER, c.Interrupt(began_ms=play.at_ms, length_known=False))
    play.round({"1": {"red": 400}, "2": {"red": 600}}, "2")
    play.wait(2 * 3600)
    play.round({"1": {"red": 800}}, "2")
    return play


def test_the_meters_of_a_day_move_by_what_its_records_moved_also_where_the_clock_was_set_back(
    tmp_path: Path,
) -> None:
    journal = write_journal(tmp_path / "floor.db", clock_set_back())
    days = ("2023-11-13", "2023-11-14", "2023-11-15", "2023-11-16")
    before: dict[str, dict[str, str]] = {}
    for day in days:
        words = ("--table", "T1", "--shifts", "00:00", "--day", day, "--what")
        meters = {row["seat"]: row for row in rows(journal, *words, "meters")}
        moved = [*rows(journal, *words, "postings")]
        for seat in ("1", "2"):
            account, was = f"credits/{seat}", before.get(seat, {})
            now = meters.get(seat, {})
            credits = sum(
                float(row["amount"]) * ((row["destination"] == account) - (row["source"] == account))
                for row in moved
            )
            assert float(now.get("credits", 0)) - float(was.get("credits", 0)) == pytest.approx(credits)
        before = meters
    words = ("--table", "T1", "--shifts", "00:00", "--what", "meters", "--day")
    first, second = (rows(journal, *words, day) for day in days[1:3])
    assert [row["turnover"] for row in first] == ["11.00", "5.00", "6.00"]
    assert [row["games_played"] for row in first] == ["3", "2", "1"]
    assert second == rows(journal, "--table", "T1", "--what", "meters")


@pytest.mark.parametrize("day", ["20231115", "2023-W46-3", "2023W463", "2023-11-15T00:00", "2023-11-1", ""])
def test_a_day_is_written_in_one_way_only(journal: str, day: str) -> None:
    right = f"{day!r} is not a day. Write it as in 2024-05-31."
    assert refusal("export", journal, "--table", "T1", "--day", day) == right
    for word in ("--from", "--to"):
        assert refusal("report", journal, "--by", "day", word, day) == right


def test_a_folder_gets_every_kind_and_the_same_bytes_each_time(journal: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        ran = run_process("export", journal, "--table", "T1", "--out", str(tmp_path / name))
        assert (ran.status, ran.out) == (0, "")
        assert ran.err.count("\n") == len(KINDS)
    files = {path.name: path.read_bytes() for path in (tmp_path / "one").iterdir()}
    assert files.keys() == {"records.jsonl", *(f"{kind}.csv" for kind in KINDS[1:])}
    assert files == {path.name: path.read_bytes() for path in (tmp_path / "two").iterdir()}
    printed = run("export", journal, "--table", "T1", "--what", "bets").out
    assert files["bets.csv"].decode() == printed


def test_a_file_gets_one_kind(journal: str, tmp_path: Path) -> None:
    out = tmp_path / "bets.txt"
    ran = run("export", journal, "--table", "T1", "--what", "bets", "--format", "jsonl", "--out", str(out))
    assert ran == (0, "", f"croupier: {out} has 10 lines.\n")
    assert json.loads(out.read_text().splitlines()[0])["won"] is True
    run("export", journal, "--table", "T1", "--what", "bets", "--out", str(tmp_path))
    assert (tmp_path / "bets.csv").is_file()


def test_an_export_without_rows_still_has_its_heading(tmp_path: Path) -> None:
    journal = write_journal(tmp_path / "floor.db", Play())
    for kind in KINDS:
        heading, *given = run(
            "export", journal, "--table", "T1", "--what", kind, "--format", "csv"
        ).out.splitlines()
        assert heading.split(",")[0] in ("table", "round", "sequence", "seat")
        assert len(given) == (1 if kind in ("records", "meters", "events") else 0)


def test_what_cannot_be_exported_is_refused(journal: str, tmp_path: Path) -> None:
    def refused(*words: str) -> str:
        return refusal("export", journal, *words)

    assert "no table 'T9'" in refused("--table", "T9")
    assert "no round 9" in refused("--table", "T1", "--round", "9")
    assert "no round 0" in refused("--table", "T1", "--round", "0")
    assert "not a day" in refused("--table", "T1", "--day", "yesterday")
    for day in ("9999-12-31", "0001-01-01"):
        assert "not a day" in refused("--table", "T1", "--day", day)
    assert "not a time of day" in refused("--table", "T1", "--day", "2023-11-15", "--shifts", "6")
    assert "no time zone" in refused("--table", "T1", "--day", "2023-11-15", "--zone", "Mars/Crater")
    assert "no time zone" in refused("--table", "T1", "--day", "2023-11-15", "--zone", "+25:00")
    assert "both given" in refused("--table", "T1", "--day", "2023-11-15", "--round", "1")
    assert "--day" in refused("--table", "T1", "--zone", "UTC")
    assert "--day" in refused("--table", "T1", "--shifts", "06:00")
    (tmp_path / "file").touch()
    assert "cannot be written" in refused("--table", "T1", "--out", str(tmp_path / "file"))
    assert refusal("export", str(tmp_path / "absent"), "--table", "T1").startswith("There is no journal")


def test_a_damaged_record_is_named(tmp_path: Path) -> None:
    journal = write_journal(tmp_path / "floor.db", roulette())
    change_file(journal, "UPDATE records SET payload = CAST('{}' AS BLOB) WHERE sequence = 8")
    assert "Record 8 of table T1 is damaged" in refusal("export", journal, "--table", "T1", "--what", "bets")
    change_file(journal, "DELETE FROM records WHERE sequence < 9")
    assert "does not fit together" in refusal("export", journal, "--table", "T1", "--what", "bets")
    assert "begin with its creation" in refusal("export", journal, "--table", "T1", "--what", "meters")


def test_no_text_is_worked_out_by_a_spreadsheet() -> None:
    texts = ["=1+1", "+cmd", "-2+3", "@sum", "\tx", "\rx", "-5.00", "+5", "-", "5-3", "", "a=b"]
    shown = [next(csv.reader([line])) for line in csv_lines([{"text": text} for text in texts], ["text"])]
    assert [cell for (cell,) in shown[1:11]] == [
        "'=1+1",
        "'+cmd",
        "'-2+3",
        "'@sum",
        "'\tx",
        "'\rx",
        "-5.00",
        "+5",
        "'-",
        "5-3",
    ]
