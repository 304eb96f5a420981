"""The source and version that a site names."""

from __future__ import annotations

import pytest

from posenc_lessons import __version__
from posenc_lessons.export.made_from import MadeFrom, web_address


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
    assert web_address(remote) == address


def test_without_git_only_the_version_is_shown() -> None:
    assert MadeFrom(__version__).as_html("en") == f"Version {__version__}"
