"""``posenc-lessons explore``: whom it lets in, and what it says of that."""

from __future__ import annotations

import re
import socket

import pytest

from posenc_lessons import cli, serving
from posenc_lessons.classroom import explore
from posenc_lessons.classroom.settings import LEARNERS
from posenc_lessons.serving import LOOPBACK, Site


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Site]:
    """The sites that would have been served."""
    sites: list[Site] = []
    monkeypatch.setattr(explore, "serve", lambda site, browser: sites.append(site))
    return sites


def options(site: Site) -> dict[str, str]:
    return dict(option.split("=", 1) for option in site.module if "=" in option)


def test_by_itself_it_serves_one_reader_on_this_machine(started: list[Site]) -> None:
    cli.main(["explore"])
    (site,) = started
    assert site.host == LOOPBACK and options(site)["--Voila.ip"] == LOOPBACK
    assert options(site)["--Explorers.learners"] == "0"
    assert options(site)["--Voila.auto_token"] == "True"


@pytest.mark.parametrize(
    ("arguments", "host", "learners"),
    [
        (["--learners=12"], LOOPBACK, 12),
        (["--host=0.0.0.0"], "0.0.0.0", LEARNERS),
        (["--host=0.0.0.0", "--learners=5"], "0.0.0.0", 5),
        (["--host=localhost"], LOOPBACK, 0),
    ],
)
def test_a_class_is_one_that_was_named_or_that_others_can_reach(
    arguments: list[str], host: str, learners: int, started: list[Site]
) -> None:
    cli.main(["explore", *arguments])
    (site,) = started
    assert site.host == options(site)["--Voila.ip"] == host
    assert options(site)["--Explorers.learners"] == str(learners)
    assert options(site)["--Voila.auto_token"] == "True", "the key stays"


@pytest.mark.parametrize("forks", [True, False])
def test_where_each_page_is_a_process_of_its_own_a_class_is_told(
    forks: bool, started: list[Site], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explore, "FORKS", forks)
    cli.main(["explore"])
    assert capsys.readouterr().out == "", "one reader need not know"
    cli.main(["explore", "--learners=30"])
    said = capsys.readouterr().out
    assert ("250 MB" in said and "最好用 Linux" in said) is not forks


@pytest.mark.parametrize("learners", ["0", "-3", "1001", "all", "3.5"])
def test_a_class_that_is_none(learners: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["explore", f"--learners={learners}"])
    assert "一个班有 1 到 1000 人" in capsys.readouterr().err


@pytest.mark.parametrize("host", ["203.0.113.9", "no-such-machine.invalid", "http://localhost"])
def test_an_address_of_somebody_else(host: str, started: list[Site]) -> None:
    with pytest.raises(
        SystemExit, match=rf"{re.escape(host)} is no address of this machine[\s\S]*不是这台机器"
    ):
        cli.main(["explore", f"--host={host}"])
    assert started == []


def test_help_says_in_both_languages_what_a_class_gets(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["explore", "--help"])
    said = capsys.readouterr().out
    assert "--learners 30 --host 0.0.0.0" in said
    for words in ("Training is off", "5 minutes", "2 hours", "不能训练", "断线 5 分钟", "2 小时没人动"):
        assert words in said


def announced(host: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(serving, "has_screen", lambda: False)
    site = Site("Voilà", [], 8866, host)
    serving._announce(site, site.addresses("secret"), browser=True)
    return capsys.readouterr().out


def test_on_this_machine_alone_nothing_is_said_of_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = announced(LOOPBACK, capsys, monkeypatch)
    assert f"    http://{LOOPBACK}:8866/?token=secret\n" in said
    assert "ssh -L" in said and "plain HTTP" not in said


def test_where_others_can_come_it_says_who_and_that_nothing_is_encrypted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "_own_addresses", lambda: ["192.168.1.20", "10.0.0.7"])
    said = announced("0.0.0.0", capsys, monkeypatch)
    for host in ("192.168.1.20", "10.0.0.7"):
        assert f"    http://{host}:8866/?token=secret\n" in said
    assert "0.0.0.0" not in said, "nobody can open that"
    assert "plain HTTP: whoever is on that network can read along" in said
    assert "不加密的 HTTP：同一网络里的人都能旁听" in said
    assert "ssh -L" not in said


def test_an_address_of_the_newer_kind_stands_in_brackets() -> None:
    assert Site("Voilà", [], 8866, "::1").addresses("secret") == ["http://[::1]:8866/?token=secret"]


def test_this_machine_knows_an_address_that_others_may_use() -> None:
    found = serving._own_addresses()
    assert found and LOOPBACK not in found
    for host in found:
        if host != socket.gethostname():
            with socket.socket() as probe:
                probe.bind((host, 0))
