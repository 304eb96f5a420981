"""``posenc-lessons config``: it reads a file, a folder or standard input, in the reader's language, without
tracebacks."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from posenc_lessons import language
from posenc_lessons.cli import main

FILE = Path(__file__).parent / "configs" / "files" / "phi-1.json"


@pytest.fixture(autouse=True)
def everyones_language() -> Iterator[None]:
    yield
    language.choose("both")


def test_a_file_its_folder_and_standard_input_give_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(FILE, tmp_path / "config.json")
    monkeypatch.setattr("sys.stdin", io.StringIO(FILE.read_text("utf-8")))
    told = []
    for source in (str(FILE), str(tmp_path), "-"):
        main(["config", source])
        told.append(capsys.readouterr().out)
    assert told[0] == told[1] == told[2]
    assert "rotates:    the first 32 of the 64 features" in told[0] and "旋转的部分：" in told[0]


@pytest.mark.skipif(os.name == "nt", reason="there is no shell")
def test_a_reader_that_stops_early_gets_no_traceback() -> None:
    command = f"{sys.executable} -m posenc_lessons.cli config {FILE} | true"
    buffered = {**os.environ, "PYTHONUNBUFFERED": ""}  # as it is for most
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=buffered)
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("chosen", "has", "lacks"), [("en", "pairing:", "配对"), ("zh", "配对：", "pairing:")]
)
def test_the_output_is_in_one_language(
    chosen: str, has: str, lacks: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["config", str(FILE), "--lang", chosen])
    told = capsys.readouterr().out
    assert has in told and lacks not in told


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, r"cannot read .*config\.json: No such file"),
        (b"{", r".*config\.json is not JSON: "),
        (b"\xff\xfe{", r".*config\.json is not JSON: "),
        (b"[" * 100_000, r".*config\.json is not JSON: "),
        (b'{"model_type": "llama", "model_type": "phi"}', r"the key 'model_type' is there twice"),
        (b"[]", r"config must be a mapping.*got list"),
        (b'{"model_type": "nobody"}', r"model_type 'nobody' is not in "),
        (b'{"model_type": "llama", "num_hidden_layers": 1e999}', r"num_hidden_layers must be finite"),
        (b'{"model_type": "llama", "hidden_size": ' + b"9" * 5000 + b"}", r".*config\.json is not JSON: "),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(
    content: bytes | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        (tmp_path / "config.json").write_bytes(content)
    with pytest.raises(SystemExit) as ended:
        main(["config", str(tmp_path / "config.json"), "--json"])
    captured = capsys.readouterr()
    assert ended.value.code == 2 and not captured.out
    assert re.match(f"posenc-lessons: {message}", captured.err)


def test_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    main(["config", str(FILE), "--json"])
    model = json.loads(capsys.readouterr().out)
    assert model["model_type"] == "phi" and "transformers" in model["measured_with"]
    assert [layer["index"] for layer in model["layers"]] == list(range(24))
    assert model["layers"][0]["rotations"][0]["features"] == 32 and "rotary_dim" in model["unread_keys"]
