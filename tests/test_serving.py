"""The address that a server announces."""

from __future__ import annotations

import pytest

from posenc_lessons import serving


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
