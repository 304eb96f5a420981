"""The files around the package agree with each other: one list of dependencies, pins for it, two READMEs."""

import itertools
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

import posenc_lessons
from posenc_lessons.export.texts import LICENCE

ROOT = Path(__file__).resolve().parents[1]
READMES = ("README.md", "README.zh.md")


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def project() -> dict[str, Any]:
    loaded: dict[str, Any] = tomllib.loads(read("pyproject.toml"))["project"]
    return loaded


def direct() -> list[Requirement]:
    """Return the requirements in pyproject.toml, extras included."""
    extras = itertools.chain.from_iterable(project()["optional-dependencies"].values())
    wanted = [Requirement(line) for line in [*project()["dependencies"], *extras]]
    return [requirement for requirement in wanted if requirement.name != project()["name"]]


def pins() -> list[Requirement]:
    lines = (line.strip() for line in read("constraints.txt").splitlines())
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def test_constraints_are_exact_and_have_no_addresses() -> None:
    assert [
        str(pin) for pin in pins() if [spec.operator for spec in pin.specifier] != ["=="] or pin.url
    ] == []
    assert "://" not in read("constraints.txt")


def test_constraints_pin_every_direct_dependency() -> None:
    applying = {canonicalize_name(pin.name): pin for pin in pins() if not pin.marker or pin.marker.evaluate()}
    for wanted in direct():
        if wanted.marker is None or wanted.marker.evaluate():
            pin = applying[canonicalize_name(wanted.name)]
            (version,) = (spec.version for spec in pin.specifier)
            assert wanted.specifier.contains(version), f"{pin} is not what pyproject.toml asks for: {wanted}"


def test_environment_yml_has_no_list_of_its_own() -> None:
    environment = yaml.safe_load(read("environment.yml"))
    python, pip, torch, through_pip = environment["dependencies"]
    assert re.fullmatch(r"python=\d\.\d+", python)  # repo2docker reads no other form
    assert SpecifierSet(project()["requires-python"]).contains(python.removeprefix("python="))
    assert pip == "pip"
    assert [torch] == [
        f"pytorch-cpu={pin.specifier}".replace("===", "=") for pin in pins() if pin.name == "torch"
    ]
    assert through_pip == {"pip": ["--constraint constraints.txt", "-e ."]}
    assert environment["channels"] == ["conda-forge"]
    assert environment["name"] == project()["name"]


# --- licences and how to cite ------------------------------------------------------------------------------


def test_both_licences_and_the_version_are_named_everywhere() -> None:
    assert "MIT AND CC-BY-4.0" in project()["license"]
    assert {"LICENSE", "LICENSE-CC-BY-4.0"} <= set(project()["license-files"])
    citation = yaml.safe_load(read("CITATION.cff"))
    assert citation["license"] == ["MIT", "CC-BY-4.0"]
    newest = re.search(r"^## \[(.+?)\]", read("CHANGELOG.md"), re.M)
    assert newest and newest[1] == citation["version"] == posenc_lessons.__version__
    for name in READMES:
        assert "(LICENSE)" in read(name) and "(LICENSE-CC-BY-4.0)" in read(name)
    for said in (LICENCE.zh, LICENCE.en):
        assert "CC BY 4.0" in said and "MIT" in said


@pytest.mark.parametrize("name", [*READMES, "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_somewhere(name: str) -> None:
    text = read(name)
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    headings = {f"#{words.lower().replace(' ', '-')}" for words in re.findall(r"^#+ (.+)", text, re.M)}
    assert [
        link for link in links if link not in headings and not (ROOT / link.partition("#")[0]).exists()
    ] == []


def test_the_two_readmes_say_the_same_things() -> None:
    def commands(name: str) -> list[str]:
        blocks = re.findall(r"^```\w+\n(.*?)^```", read(name), re.M | re.S)
        return [re.sub(r"\s+#.*", "", block) for block in blocks]

    def rows(name: str) -> int:
        return sum(line.startswith("|") for line in read(name).splitlines())

    english, chinese = READMES
    assert commands(english) == commands(chinese)
    assert rows(english) == rows(chinese)
    assert read(english).count("\n## ") == read(chinese).count("\n## ")


def test_the_example_runs() -> None:
    example, _with_widgets = re.findall(r"^```python\n(.*?)^```", read("README.md"), re.M | re.S)
    subprocess.run([sys.executable, "-c", example], check=True, capture_output=True)
