"""Find the version of the course that a site is made from; it depends only on the sources."""

from __future__ import annotations

import html
import re
import subprocess
from dataclasses import dataclass
from functools import cache

from posenc_lessons import __version__
from posenc_lessons.course.lessons import PACKAGE, in_checkout
from posenc_lessons.export import texts
from posenc_lessons.language import Language

_SSH = re.compile(r"^(?:ssh://)?git@([\w.-]+)[:/](.+)$")
_LOGIN = re.compile(r"^(https?://)[^/@]*@")


@dataclass(frozen=True)
class MadeFrom:
    """The version, and in a clone the commit, its date (YYYY-MM-DD) and the repository's address."""

    version: str
    commit: str | None = None
    date: str | None = None
    source: str | None = None

    def as_html(self, language: Language) -> str:
        """Return the version as a sentence in HTML."""
        parts = [texts.as_html(texts.VERSION.format(version=self.version), language)]
        if self.commit and self.date:
            parts.append(f"<time>{self.date}</time> (<code>{self.commit}</code>)")
        if self.source:
            words = texts.as_html(texts.SOURCE, language)
            parts.append(f'<a href="{html.escape(self.source)}">{words}</a>')
        return " · ".join(parts)


@cache
def made_from() -> MadeFrom:
    """Return what git tells about this clone; outside of one, only the version."""
    if not in_checkout():
        return MadeFrom(__version__)
    last = _git("log", "-1", "--format=%h %cd", "--date=format:%Y-%m-%d", "--abbrev=9")
    commit, _, date = last.partition(" ")
    return MadeFrom(
        __version__, commit or None, date or None, web_address(_git("remote", "get-url", "origin"))
    )


def web_address(remote: str) -> str | None:
    """Return the web address of the repository ``remote`` of git; None for a folder or no remote."""
    if address := _SSH.match(remote):
        remote = f"https://{address[1]}/{address[2]}"
    remote = _LOGIN.sub(r"\1", remote).removesuffix(".git")
    return remote if remote.startswith(("https://", "http://")) else None


def _git(*words: str) -> str:
    """Return what git prints; "" without git, or if git fails."""
    try:
        ran = subprocess.run(["git", *words], cwd=PACKAGE.parent, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ran.stdout.strip() if ran.returncode == 0 else ""
