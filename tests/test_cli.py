"""posenc-lessons: clear messages about errors, and servers on loopback that require a token."""

import errno
import json
import os
import re
import socket
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from contextlib import redirect_stderr
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from jupyterlab_server.config import get_federated_extensions

from posenc_lessons import cli, serving
from posenc_lessons.browser import explore
from posenc_lessons.course.lessons import lesson_files
from posenc_lessons.export import exporting
from posenc_lessons.language import HAN
from tests.support.pace import patience
from tests.support.running import running

ROOT = Path(__file__).resolve().parents[1]
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # loopback needs no proxy


def refusal(arguments: list[str]) -> str:
    errors = TextIOWrapper(BytesIO(), encoding="utf-8")
    with pytest.raises(SystemExit) as stopped, redirect_stderr(errors):
        cli.main(arguments)
    assert stopped.value.code == 1
    errors.seek(0)
    message = errors.read().strip()
    english, _, chinese = message.partition("\n")
    assert english.startswith("posenc-lessons: ") and HAN.search(chinese)
    return message


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_a_folder_that_cannot_be_written_is_reported(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(cli, "copy_lessons", fail)
    monkeypatch.setattr(exporting, "write_all", fail)
    for verb in (["lab", "--dir"], ["export", "--to=ipynb", "--lesson=0", "--no-run", "--out"]):
        said = refusal([*verb, str(tmp_path / "out")])
        assert f"cannot be written ({os.strerror(number)})" in said and verb[-1] in said


def test_a_taken_port_is_reported_and_another_is_found_when_none_is_named() -> None:
    with socket.socket() as other:
        other.bind((serving.LOOPBACK, 0))
        other.listen()
        port = other.getsockname()[1]
        for verb in ("lab", "explore"):
            assert f"port {port} on 127.0.0.1" in refusal([verb, "--port", str(port)])
        assert port < serving.free_port(None, first=port) < port + 50


@pytest.mark.parametrize("port", ["0", "65536", "-1", "web", "8888.0"])
def test_an_invalid_port_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["lab", f"--port={port}"])
    assert "端口" in capsys.readouterr().err


# Export.


@pytest.mark.parametrize(
    ("option", "words"),
    [("--lang=fr", "invalid choice: 'fr'"), ("--to=docx", "'docx'"), ("--address=example.org", "只能是")],
)
def test_export_explains_its_options(option: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["export", option])
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("lesson", ["99", "../02_sinusoidal", "solutions/02_sinusoidal", "-2", "²", ""])
def test_an_unknown_lesson_is_refused(lesson: str, tmp_path: Path) -> None:
    message = refusal(["export", "--lesson", lesson, "--out", str(tmp_path / "out")])
    assert "02_sinusoidal" in message and "没有" in message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["source", "source/00_start_here/00_start_here.ipynb"])
def test_an_obstacle_to_a_course_folder_is_named(name: str, tmp_path: Path) -> None:
    way = tmp_path / name
    way.mkdir(parents=True) if way.suffix else way.touch()
    message = refusal(["export", "--to=nbgrader", "--lesson=0", "--out", str(tmp_path)])
    assert str(way) in message and "不能写入" in message


def test_a_complete_course_folder_is_not_reported_as_empty(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["export", "--to=nbgrader", "--lesson=0", "--out", str(tmp_path)]
    cli.main(arguments)
    assert "2 files are in" in capsys.readouterr().out
    cli.main(arguments)
    assert capsys.readouterr().out == f"{tmp_path} has all the files already\n文件都已经在 {tmp_path} 里了\n"


@pytest.mark.parametrize(
    ("module", "name", "verb"),
    [(exporting, "run", ["export", "--lesson=2"]), (explore.build, "page", ["explore"])],
)
def test_an_unwritable_folder_is_reported_before_the_work_is_done(
    module: Any, name: str, verb: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, lambda *_, **__: pytest.fail("minutes lost"))
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    assert "cannot be written" in refusal([*verb, "--out", str(tmp_path / "file" / "out")])


def test_the_whole_course_as_english_notebooks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cli.main(["export", "--lang", "en", "--to", "ipynb", "--no-run"])
    said = capsys.readouterr().out
    written = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.ipynb"))
    lessons = lesson_files(ROOT / "notebooks")
    assert written == [f"posenc_lessons_en/{path.as_posix()}" for path in lessons]
    assert f"{len(lessons)} files are in" in said
    for path in tmp_path.rglob("*.ipynb"):
        assert not HAN.search(path.read_text(encoding="utf-8"))


def test_pages_are_the_default_form(tmp_path: Path) -> None:
    cli.main(["export", "--no-run", "--lesson=0", "--out", str(tmp_path)])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["en", "index.html", "live", "shared", "zh"]
    assert [path.name for path in (tmp_path / "en").iterdir()] == ["00_start_here.html"]


def test_a_server_that_ends_at_once_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(serving.Refusal, match="stopped with an error"):
        serving.serve("Late", ["timeit", "--nonsense"], serving.free_port(None, 8888), "", tmp_path, False)
    assert "http://" not in capsys.readouterr().out


@pytest.mark.skipif(sys.platform != "linux", reason="DISPLAY and WAYLAND_DISPLAY are Linux's")
def test_has_screen_reads_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    assert not serving.has_screen()
    monkeypatch.setattr(serving.webbrowser, "get", lambda: object())
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert serving.has_screen()
    monkeypatch.delenv("WAYLAND_DISPLAY")
    monkeypatch.setenv("BROWSER", "/usr/bin/some-editor-helper")
    assert serving.has_screen()


@pytest.mark.parametrize("screen", [True, False])
def test_the_address_is_opened_on_a_screen_and_explained_without_one(
    screen: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(serving, "has_screen", lambda: screen)
    monkeypatch.setattr(serving.webbrowser, "open", opened.append)
    serving.announce("The page", 8866, "p?lang=en", browser=True)
    printed = capsys.readouterr().out
    address = "http://127.0.0.1:8866/p?lang=en"
    assert address in printed and opened == [address] * screen
    assert ("ssh -L 8866:127.0.0.1:8866" in printed) == (not screen)


# The real thing: a wheel, an empty folder, real servers.


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as it would be published."""
    target = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (built,) = target.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wheel installed; its requirements come from the Python of the tests."""
    target = tmp_path_factory.mktemp("site")
    install = ["-m", "pip", "install", "--no-deps", "--no-index", "--target", str(target), str(wheel)]
    subprocess.run([sys.executable, *install], check=True, capture_output=True)
    return target


def status(address: str) -> int:
    try:
        with OPENER.open(address, timeout=patience()) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_an_export_stopped_by_ctrl_c_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("posenc_lessons.export.exporting.export", stopped)
    with pytest.raises(SystemExit) as ended:
        cli.main(["export", "--no-run", "--out", str(tmp_path / "out")])
    assert ended.value.code == 130


def test_the_wheel_contains_every_lesson_and_no_checkpoint(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        carried = {name for name in archive.namelist() if name.startswith("posenc_lessons/notebooks/")}
        assert {"posenc_lessons/explorers/panel/panel.js", "posenc_lessons/figures/fonts/OFL.txt"} <= set(
            archive.namelist()
        )
        exported = {"page/style.css", "fonts/PosencMath-Regular.woff", "fonts/OFL.txt"}
        exported |= {"page/deck.js", "page/reveal.min.js", "page/reveal.LICENSE.txt"}
        exported |= {"templates/page.html.j2", "templates/lesson/conf.json", "templates/deck/index.html.j2"}
        assert {f"posenc_lessons/export/{name}" for name in exported} <= set(archive.namelist())
    lessons = lesson_files(ROOT / "notebooks")
    assert carried == {f"posenc_lessons/notebooks/{path.as_posix()}" for path in lessons}


def test_an_installed_wheel_gives_any_jupyterlab_the_extension_and_ours_loads_it_once(site: Path) -> None:
    jupyter = site / "posenc_lessons" / "course" / "jupyter"  # where `lab` lets JupyterLab look first
    own, shared = jupyter / "labextensions", site / "share" / "jupyter" / "labextensions"
    (loaded,) = get_federated_extensions([str(own), str(shared)]).values()
    assert Path(loaded["ext_path"]) == own / "posenc-lessons"
    (elsewhere,) = get_federated_extensions([str(shared)]).values()
    copied, ours = (
        {each.name: each.read_bytes() for each in Path(found["ext_path"], "static").iterdir()}
        for found in (elsewhere, loaded)
    )
    assert copied == ours
    server = "jupyter_server_config.d/posenc_lessons.json"
    assert (site / "etc" / "jupyter" / server).read_bytes() == (jupyter / server).read_bytes()


def test_the_wheel_opens_the_lessons_in_an_empty_folder(site: Path, tmp_path: Path) -> None:
    with running(tmp_path, {"PYTHONPATH": str(site)}, "lab") as (address, printed):
        assert re.match(
            r"http://127\.0\.0\.1:\d+/lab/tree/00_start_here\.ipynb\?token=[0-9a-f]{48}$", address
        )
        assert str(tmp_path / cli.COURSE) in printed and "不会被覆盖" in printed
        assert status(address) == 200
        contents = address.replace("lab/tree", "api/contents").replace("00_start_here.ipynb", "")
        with OPENER.open(contents, timeout=patience()) as answer:
            names = {entry["name"] for entry in json.load(answer)["content"]}
        assert {"00_start_here.ipynb", "11_more_coordinates.ipynb", "solutions"} <= names
        assert status(contents.partition("?")[0]) == 403
        plugin = "@jupyterlab/apputils-extension:notification"
        with OPENER.open(
            contents.replace("api/contents/", f"lab/api/settings/{plugin}"), timeout=patience()
        ) as answer:
            news = json.load(answer)["schema"]["properties"]["fetchNews"]
        assert news["default"] == "false"  # no question before the first message
    port = int(address.split(":")[2].partition("/")[0])
    with socket.socket() as probe:
        assert probe.connect_ex((serving.LOOPBACK, port)) != 0, (
            "the server is still there after it was stopped"
        )
