"""Recomputes the chain of records in this folder, and the seal of its files, with Python's own library."""

import hashlib
import json
import pathlib
import sys

here = pathlib.Path(__file__).parent
proof = json.loads((here / "proof.json").read_text("utf-8"))
names = ("table", "sequence", "at_ms", "actor", "sender", "number", "part", "kind", "version")
sequence, before = proof["first"] - 1, bytes.fromhex(proof["before"])
with (here / "chain.jsonl").open(encoding="utf-8", newline="\n") as lines:
    for record in map(json.loads, lines):
        fields = "".join(f"{record[name]}\n" for name in names)
        digest = hashlib.sha256(before + fields.encode() + record["payload"].encode()).hexdigest()
        if (record["sequence"], record["hash"]) != (sequence + 1, digest):
            sys.exit(f"record {record['sequence']} does not fit")
        sequence, before = record["sequence"], bytes.fromhex(digest)
if (sequence, before.hex()) != (proof["last"], proof["last_hash"]):
    sys.exit(f"the chain ends at record {sequence} with {before.hex()}, and not as proof.json says")
for name in ("README.txt", "chain.jsonl", "check.py", "round.json", "round.txt"):
    found = here / name
    if not found.is_file() or hashlib.sha256(found.read_bytes()).hexdigest() != proof["files"].get(name):
        sys.exit(f"{name} is not the file that this bundle was made with")
print(f"records {proof['first']} to {sequence} of table {proof['table']} fit; the last is {before.hex()}")
seal = hashlib.sha256((here / "proof.json").read_bytes()).hexdigest()
print(f"every file is as proof.json says; the SHA-256 of proof.json, the bundle's seal, is {seal}")
