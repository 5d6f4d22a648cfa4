"""Files of a configuration that this account may not read: a refusal says which, and what is right."""

import subprocess
from pathlib import Path

import pytest

from cli.forbidding import forbid
from croupier.floor.house.integrity import read_manifest
from croupier.rulebook import BadInput
from croupier.server.config import ConfigFaults
from croupier.server.config_reading import read_config
from server.test_config import SMALL


def test_a_key_that_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret").mkdir()
    make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=floor"
    words = [*make.split(), "-keyout", "secret/floor.key", "-out", "floor.pem"]
    subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
    tls = '\n[tls]\ncertificate = "floor.pem"\nkey = "secret/floor.key"\n'
    assert read_config((SMALL + tls).encode(), "croupier.toml", tmp_path).tls is not None
    forbid(monkeypatch, tmp_path / "secret")
    with pytest.raises(ConfigFaults) as refused:
        read_config((SMALL + tls).encode(), "croupier.toml", tmp_path)
    said = str(refused.value)
    assert "tls.key: this account may not read" in said
    assert "floor.pem" not in said


def test_a_record_that_may_not_be_read_is_not_to_be_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "integrity.json").write_text("{}")
    forbid(monkeypatch, tmp_path / "secret")
    with pytest.raises(BadInput) as refused:
        read_manifest(tmp_path / "secret" / "integrity.json")
    assert "Let the account that runs the server read it." in str(refused.value)
    assert "--write" not in str(refused.value)
