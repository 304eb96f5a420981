"""Live explorers of exported pages, tested without a browser: their settings and the folder beside pages."""

import base64
import hashlib
import html
import json
import re
from pathlib import Path

import nbformat
import pytest

from posenc_lessons.browser import build
from posenc_lessons.explorers import RotationExplorer, host
from posenc_lessons.export import exporting, live_explorers, stills
from posenc_lessons.export.outputs import STILL
from posenc_lessons.export.page_address import LIVE
from posenc_lessons.export.site import site
from posenc_lessons.language import Text
from tests.support.exported import Page, with_still

OURS = {LIVE: b"// lesson", "live/parts/new-0123456789.bin": b"new"}


def test_a_page_gets_the_settings_of_the_lesson() -> None:
    """Settings of any kind come back through a link: tests/explorers does that for every explorer."""
    explorer = RotationExplorer(m=7)
    explorer.controls["n"].value = 30
    known = json.loads(json.dumps(stills.with_still(explorer)[0][STILL]))
    assert "n" in known.pop("reading")
    assert known == {"explorer": "rotation", "initial": {"m": 7}, "query": "explorer=rotation&n=30"}
    page = host.Host()
    page.answer("start", [known["explorer"], known["query"], "both", "light", known["initial"]])
    assert page._present.parameters() == explorer.parameters()
    page.answer("reset")
    assert page._present.parameters() == explorer.initial != explorer.parameters()
    page.close()
    explorer.close()


def test_the_folder_has_the_licences_of_all_that_it_brings(monkeypatch: pytest.MonkeyPatch) -> None:
    for part in ("python_parts", "data_parts"):
        monkeypatch.setattr(build, part, list)
    for slow in ("cells_part", "editor_part", "script"):
        monkeypatch.setattr(build, slow, lambda *args: "")
    monkeypatch.setattr(build, "part_files", lambda parts: {})
    licences = live_explorers.files.__wrapped__()["live/LICENSES.txt"].decode()
    for name in ("MIT License", "pyodide", "numpy", "@codemirror/view", "@lezer/common"):
        assert name in licences


def policy(page: str) -> dict[str, list[str]]:
    (content,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    return {name: sources for name, *sources in (part.split() for part in content.split(";"))}


def test_a_page_with_an_explorer_loads_one_script_and_says_how_the_explorer_is_set() -> None:
    hostile = '"><script>1</script>'
    plain = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Play")])
    notebooks = {"a.ipynb": with_still(query=hostile), "solutions/a.ipynb": with_still(), "b.ipynb": plain}
    made = site({"en": notebooks}, live=True)
    pages = {name: made[name].decode() for name in made if name.endswith(".html")}
    loaded = {
        name: [one for one in Page(page).loaded if not re.search("data:|/shared/", one)]
        for name, page in pages.items()
    }
    assert loaded.pop("a.html") == ["live/lesson.js"]
    assert loaded.pop("solutions/a.html") == ["../live/lesson.js"]
    assert not any(loaded.values())
    (figure,) = re.findall(r'<figure class="stills"([^>]*)>', pages["a.html"])
    assert f'data-query="{html.escape(hostile)}"' in figure
    assert html.escape('{"m": 7}') in figure and "n = 1 &lt; 9" in pages["a.html"]
    assert [(one["alt"], one["width"]) for one in Page(pages["a.html"]).images] == [("a picture", "9")]
    assert LIVE not in site({"en": notebooks})["a.html"].decode()


def test_a_lesson_that_is_not_run_has_the_settings_of_its_explorer() -> None:
    notebook = with_still()
    for source, expected in (
        ("from x import y\nRotationExplorer(m=7, locked=True)", {"m": 7, "locked": True}),
        ("RotationExplorer(m=7).still()", None),
        ("Explorer()", None),
    ):
        notebook.cells[1].source = source
        notebook.cells[1].outputs[0].data.pop(STILL, None)
        stills.add_settings(notebook)
        known = notebook.cells[1].outputs[0].data.get(STILL)
        assert known == (
            expected and {"reading": "", "explorer": "rotation", "initial": expected, "query": ""}
        )


@pytest.mark.parametrize("with_python", [True, False])
def test_a_page_can_run_only_its_own_script(with_python: bool) -> None:
    made = site({"zh": {"a.ipynb": with_still(), "b.ipynb": with_still()}}, live=with_python)
    for page in (content for name, content in made.items() if name.endswith(".html")):
        may = policy(page.decode())
        scripts = re.findall(r"<script>(.*?)</script>", page.decode(), re.DOTALL)
        digests = [base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in scripts]
        assert may["default-src"] == may["base-uri"] == may["form-action"] == ["'none'"]
        own = ["'wasm-unsafe-eval'"] * ("connect-src" in may) + ["'self'"]
        assert may["script-src"] == [*own, *(f"'sha256-{digest}'" for digest in digests)]
        assert may.get("connect-src", ["'self'"]) == ["'self'"]
        assert ("connect-src" in may) == (with_python and b"data-explorer" in page)


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a lesson with a picture, which becomes an explorer when the lesson runs."""
    monkeypatch.setattr(live_explorers, "files", lambda: OURS)
    monkeypatch.setattr(exporting, "run", lambda notebook, *_: notebook.update(with_still()))
    folder = tmp_path / "course"
    folder.mkdir()
    drawn = with_still()
    del drawn.cells[1].outputs[0].data[STILL]
    nbformat.write(drawn, folder / "09_play.ipynb")
    return folder


def test_the_folder_beside_the_pages_is_written_and_cleaned(course: Path, tmp_path: Path) -> None:
    out, said = tmp_path / "out", list[Text]()
    parts = out / "live" / "parts"
    parts.mkdir(parents=True)
    for name in ("old-abcdef0123.bin", "old-abcdef0123.bin.js", "mine.txt"):
        (parts / name).touch()
    elsewhere = out / "explorers" / "parts" / "old-abcdef0123.bin"  # of a page not written here
    elsewhere.parent.mkdir(parents=True)
    elsewhere.touch()
    written = exporting.export(exporting.Options("en", "site", ("09_play",), out), course, said.append)
    assert [name for name in written if "shared/" not in name] == ["09_play.html", *sorted(OURS)]
    assert sorted(path.name for path in parts.iterdir()) == ["mine.txt", "new-0123456789.bin"]
    assert elsewhere.exists()
    assert any("live/" in text.en and "live" in text.zh for text in said)
