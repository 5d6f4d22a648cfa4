"""What only the demonstration floor gives away, and that no other floor does."""

from pathlib import Path

from server.server_rig import LiveServer


def test_another_floor_gives_nothing_away(tmp_path: Path) -> None:
    with LiveServer(tmp_path, tables={"R1": "mbs-roulette"}) as server, server.client() as client:
        for answer in (
            client.get("/api/demonstration"),
            client.post("/api/demonstration/seat", json={"table": "R1"}),
        ):
            assert answer.status_code == 404
            assert answer.json()["code"] == "no-demonstration"
            assert "password" not in answer.text


def test_a_newcomer_gets_a_seat_until_all_are_taken(tmp_path: Path) -> None:
    tables = {"R1": "mbs-roulette", "M1": "rws-money-wheel"}
    with LiveServer(tmp_path, tables=tables, demonstration=True) as server, server.client() as client:
        floor = client.get("/api/demonstration").raise_for_status().json()
        assert {table["table"]: table["free_seats"] for table in floor["tables"]} == {
            "R1": {"main": 2},
            "M1": {"main": 0},
        }
        assert {table["table"]: table["has_terminals"] for table in floor["tables"]} == {
            "R1": True,
            "M1": False,
        }
        assert "crew-dealer" not in {person["name"] for person in floor["people"]}
        code = client.post("/api/demonstration/seat", json={"table": "R1"}).raise_for_status().json()
        enrolled = client.post("/api/devices/enrol", json={"code": code["code"]}).raise_for_status().json()
        assert (enrolled["kind"], enrolled["table"], enrolled["seat"]) == ("terminal", "R1", "1")
        assert (code["layout"], enrolled["layout"]) == ("main", "main")
        full = client.post("/api/demonstration/seat", json={"table": "M1"})
        assert (full.status_code, full.json()["code"]) == (409, "no-seat")
        elsewhere = client.post("/api/demonstration/seat", json={"table": "R1", "layout": "B"})
        assert (elsewhere.status_code, elsewhere.json()["code"]) == (409, "no-seat")
        unknown = client.post("/api/demonstration/seat", json={"table": "Z"})
        assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown-table")
