"""The dispute bundle: everything that bears on a round, readable, with a proof that stands alone."""

import hashlib
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from cli.running import refusal, run, run_process
from croupier.floor.cage.numbers import new_voucher_number
from croupier.table import commands as c
from floor.audit_journal import change_file, records_of, write_journal
from floor.audit_scenes import REASON, roulette, shortfall
from table.rig import DEALER, MANAGER, SUPERVISOR, Play, player

FILES = {"README.txt", "chain.jsonl", "check.py", "proof.json", "round.json", "round.txt"}


@pytest.fixture
def journal(tmp_path: Path) -> str:
    return write_journal(tmp_path / "floor.db", roulette())


def bundle(journal: str, number: int, out: Path) -> Path:
    ran = run("export", journal, "--table", "T1", "--bundle", str(number), "--out", str(out))
    assert (ran.status, ran.out) == (0, "")
    assert ran.err.startswith(f"croupier: The bundle of round {number} is in {out}. Its seal, ")
    return out


def seal(folder: Path) -> str:
    return hashlib.sha256((folder / "proof.json").read_bytes()).hexdigest()


def facts(folder: Path, name: str = "round.json") -> Any:
    return json.loads((folder / name).read_text())


def check(folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs the bundle's own check with Python alone: nothing of croupier can be imported."""
    command = [sys.executable, "-I", "-S", str(folder / "check.py")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_bundle_tells_the_round_with_its_later_correction(journal: str, tmp_path: Path) -> None:
    folder = bundle(journal, 1, tmp_path / "round-1")
    told = facts(folder)
    assert {path.name for path in folder.iterdir()} == FILES
    assert (told["state"], told["result"], told["corrections"]) == ("settled", "16", 1)
    assert (told["book"], told["layouts"]) == ("mbs-roulette", ["main"])
    assert told["limits"]["bets"]["red"] == {"minimum_cents": 100, "maximum_cents": 1_000_000}
    first, second = told["seats"]
    assert (first["seat"], first["credits_before"], first["credits_after"]) == ("1", "500.00", "665.00")
    assert (second["seat"], second["credits_before"], second["credits_after"]) == ("2", "500.00", "520.00")
    assert [seat["corrected"] for seat in told["seats"]] == [
        [{"time": "2023-11-14T22:13:20.000Z", "credits_after": cents}] for cents in ("505.00", "480.00")
    ]
    assert [bet["bet"] for bet in first["bets"]] == ["red", "straight:17"]
    assert [spin["said_by"] for spin in told["spin"]] == ["dealer"]
    assert told["notices"][0]["text"] == "Place your bets, please"
    assert [act["sequence"] for act in told["acts"]] == [*range(7, 20)]
    assert told["acts"][10]["second"] == "supervisor-1 (pit-supervisor)"


def test_a_bundle_reads_well(journal: str, tmp_path: Path) -> None:
    text = (bundle(journal, 2, tmp_path / "round-2") / "round.txt").read_text()
    assert text.startswith("Round 2 of table T1 (mbs-roulette, layout main)\n")
    assert "\nstate      voided (no-spin)\n" in text
    assert "  seat 1: credits 505.00 before, 505.00 after\n" in text
    assert "    split:10/11: 1.00 went back, 1.00 returned\n" in text
    assert "record 25, dealer-1 (dealer)\n    5.00 goes back to seat 1: " in text
    assert "    5.00 from stakes/1 to credits/1\n" in text


def test_the_check_in_the_bundle_stands_alone(journal: str, tmp_path: Path) -> None:
    folder = bundle(journal, 2, tmp_path / "round-2")
    records = records_of(roulette())
    proof = facts(folder, "proof.json")
    assert (proof["first"], proof["last"]) == (18, 26)
    assert proof["before"] == records[16].hash.hex()
    assert proof["head"] == {"sequence": 38, "hash": records[-1].hash.hex()}
    assert len((folder / "check.py").read_text().splitlines()) <= 30

    ran = check(folder)

    assert (ran.returncode, ran.stderr) == (0, "")
    fits, sealed = ran.stdout.splitlines()
    assert fits == f"records 18 to 26 of table T1 fit; the last is {records[25].hash.hex()}"
    assert sealed.endswith(f"the bundle's seal, is {seal(folder)}")


@pytest.mark.parametrize(
    ("old", "new"), [('"dealer-1"', '"dealer-2"'), ('"part": 1', '"part": 0'), ("no-spin", "no-bets")]
)
def test_a_changed_bundle_fails_its_check(journal: str, tmp_path: Path, old: str, new: str) -> None:
    chain = bundle(journal, 2, tmp_path / "round-2") / "chain.jsonl"
    changed = chain.read_text().replace(old, new, 1)
    assert changed != chain.read_text()
    chain.write_text(changed)

    ran = check(chain.parent)

    assert (ran.returncode, ran.stdout) == (1, "")
    assert "does not fit" in ran.stderr


@pytest.mark.parametrize("name", sorted(FILES - {"proof.json", "chain.jsonl"}))
def test_no_file_of_a_bundle_is_changed_or_taken_away_by_itself(
    journal: str, tmp_path: Path, name: str
) -> None:
    file = bundle(journal, 2, tmp_path / "round-2") / name
    file.write_bytes(file.read_bytes() + b"\n")

    ran = check(file.parent)

    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == f"{name} is not the file that this bundle was made with\n"
    if name != "check.py":
        file.unlink()
        assert check(file.parent).stderr == ran.stderr


def test_a_file_that_is_left_out_of_the_proof_is_missed(journal: str, tmp_path: Path) -> None:
    folder = bundle(journal, 2, tmp_path / "round-2")
    proof = facts(folder, "proof.json")
    assert {*proof["files"]} == FILES - {"proof.json"}
    del proof["files"]["round.txt"]
    (folder / "proof.json").write_text(json.dumps(proof))
    assert check(folder).stderr == "round.txt is not the file that this bundle was made with\n"


def test_whoever_changes_a_file_and_its_hash_is_found_out_by_the_seal_and_by_the_journal(
    journal: str, tmp_path: Path
) -> None:
    words = ("export", journal, "--table", "T1", "--bundle", "2", "--out")
    noted = run(*words, str(tmp_path / "round-2")).err.rstrip(".\n").split()[-1]
    folder = tmp_path / "round-2"
    assert noted == seal(folder)
    changed = (folder / "round.txt").read_text().replace("5.00", "6.00")
    (folder / "round.txt").write_text(changed)
    proof = facts(folder, "proof.json")
    proof["files"]["round.txt"] = hashlib.sha256(changed.encode()).hexdigest()
    (folder / "proof.json").write_text(json.dumps(proof))

    ran = check(folder)

    assert ran.returncode == 0, "a hash alone proves nothing against that"
    assert noted not in ran.stdout
    again = next(line for line in (folder / "README.txt").read_text().splitlines() if "--bundle" in line)
    named = {"JOURNAL": journal, "AGAIN": str(tmp_path / "again")}
    assert run(*(named.get(word, word) for word in again.split()[1:])).status == 0
    assert (tmp_path / "again" / "round.txt").read_text() != changed


def test_the_journal_tells_the_same_of_a_round_when_more_was_played(tmp_path: Path) -> None:
    play = cashed_out()
    play.round({"2": {"red": 500}}, "1")
    earlier = bundle(write_journal(tmp_path / "then.db", play), 2, tmp_path / "then")
    play.round({"2": {"black": 700}}, "1")
    later = bundle(write_journal(tmp_path / "now.db", play), 2, tmp_path / "now")
    for name in FILES - {"proof.json"}:
        assert (later / name).read_bytes() == (earlier / name).read_bytes(), name
    assert facts(later, "proof.json")["head"] != facts(earlier, "proof.json")["head"]


def test_a_cut_bundle_fails_its_check(journal: str, tmp_path: Path) -> None:
    folder = bundle(journal, 2, tmp_path / "round-2")
    lines = (folder / "chain.jsonl").read_text().splitlines(keepends=True)
    (folder / "chain.jsonl").write_text("".join(lines[:-1]))
    ran = check(folder)
    assert ran.returncode == 1
    assert "the chain ends at record 25" in ran.stderr


def test_the_last_hash_of_a_bundle_is_found_in_the_journal(journal: str, tmp_path: Path) -> None:
    readme = (bundle(journal, 1, tmp_path / "round-1") / "README.txt").read_text()
    line = next(line for line in readme.splitlines() if "croupier verify JOURNAL" in line)
    words = [journal if word == "JOURNAL" else word for word in line.split()[1:]]
    assert run(*words).status == 0


def test_an_archive_is_the_same_each_time(journal: str, tmp_path: Path) -> None:
    one, two = (bundle(journal, 3, tmp_path / f"{name}.zip") for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    folder = bundle(journal, 3, tmp_path / "folder")
    with zipfile.ZipFile(one) as archive:
        assert {*archive.namelist()} == FILES
        for name in FILES:
            assert archive.read(name) == (folder / name).read_bytes()


def test_a_lock_up_after_a_correction_bears_on_the_round(tmp_path: Path) -> None:
    play = Play(lock_up_cents=30_000).open(("1",), 10_000)
    play.round({"1": {"straight:17": 1_000}}, "18")
    play.round({"1": {"red": 100}}, "18")
    play.do(MANAGER, c.CorrectResult(round=1, result="17", reason=REASON), second=SUPERVISOR)
    folder = bundle(write_journal(tmp_path / "floor.db", play), 1, tmp_path / "round-1")

    told = facts(folder)

    assert [act["event"] for act in told["acts"]][-3:] == [
        "result-corrected",
        "seat-corrected",
        "seat-locked",
    ]
    assert [act["sequence"] for act in told["acts"]] == [*range(5, 13), *range(21, 24)]
    assert check(folder).stdout.startswith("records 4 to 23 of table T1 fit")


def moved(acts: list[dict[str, Any]]) -> list[tuple[str, list[str]]]:
    return [(act["event"], [posting["amount"] for posting in act["postings"]]) for act in acts]


def chained(folder: Path) -> list[int]:
    lines = (folder / "chain.jsonl").read_text().splitlines()
    return [json.loads(line)["sequence"] for line in lines]


def cashed_out() -> Play:
    """Seat 1 buys twice the same and plays; seat 2 plays; after the last round seat 1 is paid out."""
    play = Play().open(("1", "2"), 10_000)
    play.round({"2": {"red": 500}}, "1")
    for _ in range(2):
        play.do(player("1"), c.BuyCredits(seat="1", cents=700))
    play.refused(player("1"), c.BuyCredits(seat="1", cents=-1))
    play.round({"1": {"red": 500}}, "1")
    play.do(player("1"), c.CashOut(seat="1", voucher=new_voucher_number()))
    play.do(DEALER, c.CallAttendant(seat="2"))
    return play


def test_what_moved_credits_before_the_round_is_told_and_proved(tmp_path: Path) -> None:
    play = cashed_out()
    folder = bundle(write_journal(tmp_path / "floor.db", play), 2, tmp_path / "round-2")
    told, bought = facts(folder), [r.sequence for r in records_of(play) if r.kind == "credits-bought"]

    assert moved(told["between"]) == [("credits-bought", ["7.00"]), ("credits-bought", ["7.00"])]
    assert [act["sequence"] for act in told["between"]] == bought[2:], "each by its own record"
    assert told["between"][0]["postings"][0]["destination"] == "credits/1"
    assert told["seats"][0]["credits_before"] == "114.00"
    assert chained(folder)[0] == bought[2]
    assert told["acts"][0]["event"] == "round-opened", "which they do not count among"
    assert check(folder).returncode == 0


def test_a_payout_after_the_newest_round_is_told_and_proved(tmp_path: Path) -> None:
    play = cashed_out()
    folder = bundle(write_journal(tmp_path / "floor.db", play), 2, tmp_path / "round-2")
    told, (paid,) = facts(folder), [r for r in records_of(play) if r.kind == "credits-paid-out"]

    assert moved(told["after"]) == [("credits-paid-out", ["119.00"])]
    assert told["after"][0]["sequence"] == chained(folder)[-1] == paid.sequence
    assert facts(folder, "proof.json")["last_hash"] == paid.hash.hex()
    assert check(folder).returncode == 0


def test_the_round_before_has_the_same_after_it(tmp_path: Path) -> None:
    journal = write_journal(tmp_path / "floor.db", cashed_out())
    first, second = (facts(bundle(journal, number, tmp_path / str(number))) for number in (1, 2))
    assert first["after"] == second["between"]
    assert moved(first["between"]) == [("credits-bought", ["100.00"])] * 2


def test_what_moved_credits_beside_the_round_is_there_to_read(tmp_path: Path) -> None:
    journal = write_journal(tmp_path / "floor.db", cashed_out())
    text = (bundle(journal, 2, tmp_path / "round-2") / "round.txt").read_text()
    parts = {part.splitlines()[0]: part for part in text.split("\n\n")}
    between = parts["What moved credits between the round before and this one"]
    assert between.count("    7.00 from cash to credits/1") == 2
    assert "record 15, terminal-1 (player)" in between
    after = parts["What else moved credits after it, up to the next round"]
    assert "    119.00 from credits/1 to " in after
    assert [*parts].index("What happened") == [*parts].index(between.splitlines()[0]) + 1
    text = (bundle(journal, 1, tmp_path / "round-1") / "round.txt").read_text()
    assert "from cash to credits/1" in text.partition("What else moved credits")[2]


def test_a_correction_between_two_rounds_is_told_with_the_round_it_corrects_once(
    journal: str, tmp_path: Path
) -> None:
    first, second = (facts(bundle(journal, number, tmp_path / str(number))) for number in (1, 2))
    assert [act["event"] for act in second["between"]] == ["seat-corrected", "seat-corrected"]
    assert [act["sequence"] for act in second["between"]] == [18, 19]
    assert [act["sequence"] for act in first["acts"]][-2:] == [18, 19]
    assert first["after"] == []


def test_what_happened_beside_the_round_is_in_it(tmp_path: Path) -> None:
    play = Play().open(("1", "2"), 10_000)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 500})
    play.refused(player("2"), c.PlaceBets(seat="2", stakes=(c.Stake("red", 1),)))
    play.do(player("2"), c.BuyCredits(seat="2", cents=700))
    folder = bundle(write_journal(tmp_path / "floor.db", play), 1, tmp_path / "round-1")

    told = facts(folder)

    assert [act["event"] for act in told["acts"]] == [
        "round-opened",
        "bets-changed",
        "command-refused",
        "credits-bought",
    ]
    assert (told["state"], told["ended"]) == ("running", None)
    assert [seat["seat"] for seat in told["seats"]] == ["1"]


def test_shortfalls_are_told(tmp_path: Path) -> None:
    folder = bundle(write_journal(tmp_path / "floor.db", shortfall()), 1, tmp_path / "round-1")
    assert "Seat 1 was short of 360.00 in round 1." in (folder / "round.txt").read_text()


def test_what_cannot_be_bundled_is_refused(journal: str, tmp_path: Path) -> None:
    def refused(*words: str) -> str:
        return refusal("export", journal, "--table", "T1", *words)

    assert "--out" in refused("--bundle", "1")
    assert "no round 9" in refused("--bundle", "9", "--out", str(tmp_path / "b.zip"))
    for words in (("--round", "1"), ("--zone", "UTC"), ("--refusals",), ("--format", "csv")):
        assert "Leave" in refused("--bundle", "1", *words, "--out", str(tmp_path / "b.zip"))
    assert not (tmp_path / "b.zip").exists()
    change_file(journal, "UPDATE records SET actor = 'nobody' WHERE sequence = 30")
    assert "Record 30 of table T1 does not fit" in refused("--bundle", "1", "--out", str(tmp_path / "b.zip"))
    change_file(journal, "DELETE FROM records WHERE sequence >= 30")
    assert "do not end where its head says" in refused("--bundle", "1", "--out", str(tmp_path / "b.zip"))


def test_a_bundle_is_made_by_a_process(journal: str, tmp_path: Path) -> None:
    ran = run_process("export", journal, "--table", "T1", "--bundle", "1", "--out", "b.zip", cwd=tmp_path)
    assert (ran.status, ran.out) == (0, "")
    assert (tmp_path / "b.zip").is_file()


def late() -> Play:
    """Round 1 is corrected while round 2 runs, and once more when that is over."""
    play = Play().open(("1",), 100_000)
    play.round({"1": {"red": 10_000}}, "1")
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 5_000})
    play.do(MANAGER, c.CorrectResult(round=1, result="2", reason=REASON), second=SUPERVISOR)
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="2"))
    play.do(DEALER, c.ConfirmResult(result="2"))
    play.wait(60)
    play.do(MANAGER, c.CorrectResult(round=1, result="1", reason=REASON), second=SUPERVISOR)
    return play


def test_the_credits_of_a_round_are_those_of_its_end_and_a_correction_has_its_own(tmp_path: Path) -> None:
    folder = bundle(write_journal(tmp_path / "floor.db", late()), 1, tmp_path / "round-1")
    (seat,) = facts(folder)["seats"]
    assert (seat["credits_before"], seat["credits_after"]) == ("1000.00", "1100.00")
    assert [corrected["credits_after"] for corrected in seat["corrected"]] == ["850.00", "1050.00"]
    behind = [act["credits_after"] for act in facts(folder)["acts"] if act["event"] == "seat-corrected"]
    assert behind == ["850.00", "1050.00"]
    text = (folder / "round.txt").read_text()
    assert (
        "  seat 1: credits 1,000.00 before, 1,100.00 after\n"
        "    corrected 2023-11-14T22:13:20.000Z: credits 850.00 then\n"
        "    corrected 2023-11-14T22:14:20.000Z: credits 1,050.00 then\n"
        "    red: 100.00 won, 200.00 returned\n"
    ) in text
    assert "    200.00 from credits/1 to house\n    credits 850.00 behind it\n" in text


def test_the_bundle_of_a_round_has_what_another_rounds_correction_moved_meanwhile(tmp_path: Path) -> None:
    journal = write_journal(tmp_path / "floor.db", late())
    folder = bundle(journal, 2, tmp_path / "round-2")
    (seat,) = facts(folder)["seats"]
    assert (seat["credits_before"], seat["credits_after"], seat["corrected"]) == ("1100.00", "850.00", [])
    (corrected,) = (act for act in facts(folder)["acts"] if act["event"] == "seat-corrected")
    assert corrected["what"].startswith("Seat 1 is settled again for round 1: 200.00 back before, 0.00 now")
    assert corrected["postings"] == [{"source": "credits/1", "destination": "house", "amount": "200.00"}]
    assert [act["event"] for act in facts(folder)["after"]] == ["seat-corrected"]
    assert check(folder).returncode == 0
    rows = run("export", journal, "--table", "T1", "--round", "2", "--what", "postings").out
    assert ",credits/1,house,200.00\n" in rows
    assert rows.count("\n") == 4, "the stake, the correction and the settlement below the heading"


def test_a_round_that_is_void_with_earlier_ones_has_what_they_gave_back_as_well(tmp_path: Path) -> None:
    play = Play("rws-roulette-000").open(("1",), cents=10_000)
    play.round({"1": {"red": 1_000}}, "1")
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 500})
    play.to_spinning()
    play.do(MANAGER, c.DeclareIrregularity(cause="ball-broken", rounds=(1, 2)), second=SUPERVISOR)
    folder = bundle(write_journal(tmp_path / "floor.db", play), 2, tmp_path / "round-2")
    told = facts(folder)
    ends = [act["event"] for act in told["acts"][-3:]]
    assert (ends, told["after"]) == (["seat-returned", "seat-corrected", "round-voided"], [])
    assert told["seats"][0]["credits_after"] == "100.00"
