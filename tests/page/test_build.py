"""The page's folder is complete, small, the same each time, and built again only after a change."""

import gzip
import json
import re
from pathlib import Path

import pytest

from posenc_lessons import cli
from posenc_lessons.browser import build, explore, packing
from posenc_lessons.explorers.host import NAMES
from posenc_lessons.models import COURSE_ENCODINGS

# Bytes that a first visit downloads, with the font for machines without a Chinese one.
MOST = 7_400_000
MOST_OF_ANY = 8_000_000  # with data that an explorer reads, which may be the first one opened
SOURCES_SPARE = 210_000  # gzip bytes by which the lessons' modules are smaller as sources than as byte code


@pytest.fixture(scope="module")
def page() -> dict[str, bytes]:
    return build.page()


def packed(page: dict[str, bytes], name: str) -> bytes:
    """Return the content of the part ``name`` of the page."""
    (file,) = (file for file in page if file.startswith(f"parts/{name}-") and file.endswith(".bin"))
    return gzip.decompress(page[file])


def test_every_file_of_the_page_exists_and_has_its_hash_in_its_name(page: dict[str, bytes]) -> None:
    script = page["page.js"].decode()
    named = set(re.findall(r'"file": "(parts/[^"]+)"', script))
    assert named == {name for name in page if name.endswith(".bin")}
    for name in named:
        assert packing.sha256(page[name])[:10] in name and build.is_part(Path(name).name)
        assert build.is_part(Path(name + ".js").name)
    compilable = [name for name in page if name.endswith(".wasm")]
    assert len(compilable) == 2 and all(build.is_part(Path(name).name) for name in compilable)
    for name in compilable:
        assert page[name] == gzip.decompress(page[name.removesuffix("wasm") + "bin"])
    assert re.findall(rb'(?:src|href)="([^":]+)"', page["index.html"]) == [b"page.css", b"page.js"]
    assert b"<script>" not in page["index.html"] and build.POLICY.encode() in page["index.html"]
    assert not re.search(rb"https?://(?!python\.invalid|www\.w3\.org)", page["page.js"] + page["page.css"])


def test_a_first_visit_downloads_little(page: dict[str, bytes]) -> None:
    elsewhere = (".bin.js", ".wasm", ".txt")  # only from a disk; instead of its .bin; never requested
    sent = {name: len(content) for name, content in page.items() if not name.endswith(elsewhere)}
    data = {file: size for file, size in sent.items() if file.startswith("parts/data")}
    (named,) = re.findall(r"const DATA = (\[.*\]);", page["page.js"].decode())
    read = [
        sum(data[item["part"]["file"]] for item in json.loads(named) if name in item["readers"])
        for name in NAMES
    ]
    # Without a Python 3.12, the page has the lessons' modules as sources, which are half as large.
    begin = sum(sent.values()) - sum(data.values()) + SOURCES_SPARE * (packing.page_python() is None)
    assert begin < MOST and begin + max(read) < MOST_OF_ANY


def test_data_is_loaded_only_with_explorers_that_read_it(page: dict[str, bytes]) -> None:
    (data,) = re.findall(r"const DATA = (\[.*\]);", page["page.js"].decode())
    read: dict[str, set[str]] = {}
    for item in json.loads(data):
        files = {Path(name).name for name in packing.unzipped(packed(page, item["part"]["name"]))}
        for name in item["readers"]:
            read[name] = read.get(name, set()) | files
    assert read == {name: {path.name for path in paths} for name, paths in build.readers().items()}
    assert {f"rewriter_{name}.npz" for name in COURSE_ENCODINGS} == read["attention"]
    assert "distance" not in read and "rotation" not in read


def test_the_page_includes_the_licences(page: dict[str, bytes]) -> None:
    text = page["LICENSES.txt"].decode()
    for words in ("MIT License", "Mozilla Public License", "PYTHON SOFTWARE FOUNDATION", "NumPy Developers"):
        assert words.lower() in text.lower()


def test_out_replaces_an_earlier_page_and_leaves_other_files(
    page: dict[str, bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(build, "page", lambda: page)
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "lessons.zip-0123456789.bin").write_bytes(b"of an earlier page")
    (tmp_path / "parts" / "mine.txt").write_bytes(b"stays")
    cli.main(["explore", "--out", str(tmp_path)])
    existing = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert existing == {*page, "parts/mine.txt"}
    assert str(tmp_path) in capsys.readouterr().out


def test_a_page_is_built_again_only_after_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POSENC_LESSONS_HOME", str(tmp_path / "home"))
    numbers = iter(range(9))
    monkeypatch.setattr(build, "page", lambda: {"index.html": str(next(numbers)).encode()})
    key = iter(["one", "one", "two", "three", "one"])
    monkeypatch.setattr(explore, "_content_key", lambda: next(key))
    contents = []
    for _ in range(5):
        with explore.page_folder() as folder:
            contents.append((folder / "index.html").read_text())
    assert contents == ["0", "0", "1", "2", "3"]  # the last two of the earlier pages stay
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("POSENC_LESSONS_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(explore, "_content_key", lambda: "any")
    with explore.page_folder() as folder:
        assert (folder / "index.html").read_text() == "4"
    assert not folder.exists()  # without a cache, nothing remains
