"""What it means for a check to name a mistake."""

from __future__ import annotations

from posenc_lessons.exercises.verdict import Verdict


def names(verdict: Verdict, zh: str, en: str) -> None:
    """The answer was wrong, and each language says why in its own words."""
    assert verdict.status == "wrong"
    assert zh in verdict.message.zh, verdict.message.zh
    assert en in verdict.message.en, verdict.message.en
    assert not any("一" <= character <= "鿿" for character in verdict.message.en)
