"""``posenc-lessons probe``: it imports a function, measures it, and refuses without tracebacks."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from posenc_lessons import language
from posenc_lessons.cli import main

CODE = """
import torch

print("a module that prints")

def tables(positions):
    angles = torch.outer(positions.double(), 500.0 ** (-torch.arange(0, 8, 2) / 8))
    return torch.cat([angles, angles], dim=-1).cos(), torch.cat([angles, angles], dim=-1).sin()

class Rope:
    @staticmethod
    def apply(x, cos, sin):
        return x * cos + torch.cat([-x[..., 4:], x[..., :4]], dim=-1) * sin

def nothing(x, positions):
    return x

def broken(x, positions):
    return x.no_such_method()
"""


@pytest.fixture(autouse=True)
def own_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "rope_of_a_reader.py").write_text(CODE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    sys.modules.pop("rope_of_a_reader", None)
    language.choose("both")


@pytest.mark.parametrize("module", ["rope_of_a_reader", "rope_of_a_reader.py"])
def test_the_answer_is_printed_or_is_one_json_object(module: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [
        "probe",
        f"{module}:Rope.apply",
        "--d-head",
        "8",
        "--signature",
        "x, cos, sin",
        "--tables",
        f"{module}:tables",
    ]
    main(asked)
    printed = capsys.readouterr().out
    assert "half-split" in printed and "对半配对" in printed and "500^(−2i/8)" in printed
    main([*asked, "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert (answer["pairing"], answer["base"], answer["is_rotation"]) == ("half_split", 500, True)


def test_what_is_no_rotation_is_an_answer_too(capsys: pytest.CaptureFixture[str]) -> None:
    main(["probe", "rope_of_a_reader:nothing", "--lang", "zh"])
    assert capsys.readouterr().out.startswith("不是旋转")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rope_of_a_reader:broken"], "no_such_method"),
        (["rope_of_a_reader:missing"], "cannot import"),
        (["no_such_module:apply"], "cannot import"),
        (["rope_of_a_reader"], "MODULE:FUNCTION"),
        (["rope_of_a_reader:nothing", "--d-head", "0"], "d_head"),
        (["rope_of_a_reader:nothing", "--signature", "k"], "signature"),
    ],
)
def test_refusals_exit_with_2(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["probe", *arguments, "--lang", "en"])
    captured = capsys.readouterr()
    assert stop.value.code == 2 and words in captured.err and not captured.out
