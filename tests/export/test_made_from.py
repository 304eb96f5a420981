"""The source and version that a site names."""

from __future__ import annotations

import pytest

from posenc_lessons import __version__
from posenc_lessons.export import made_from


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("https://example.org/a/b.git", "https://example.org/a/b"),
        ("https://user:secret@example.org/a/b", "https://example.org/a/b"),
        ("git@example.org:a/b.git", "https://example.org/a/b"),
        ("/srv/git/b", None),
        ("", None),
    ],
)
def test_the_address_of_the_source_has_no_login(remote: str, address: str | None) -> None:
    assert made_from.web_address(remote) == address


def test_without_git_only_the_version_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made_from, "_git", lambda *words: "")
    assert made_from.made_from("en") == f"Version {__version__}"
    monkeypatch.setattr(made_from, "_git", lambda *words: "2026-01-02 abc" if words[0] == "log" else "")
    assert made_from.made_from("en") == f"Version {__version__} · <time>2026-01-02</time> (<code>abc</code>)"
