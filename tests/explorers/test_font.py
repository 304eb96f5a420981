"""A page without a Chinese font asks for the course's own, and gets it when it asks in just those words."""

from __future__ import annotations

from typing import Any

import pytest

from posenc_lessons.explorers import SinusoidExplorer
from posenc_lessons.explorers.live import FONT_WANTED
from posenc_lessons.figures.fonts import FAMILY, WEB_FONT


@pytest.mark.parametrize("said", [FONT_WANTED, {"wanted": "/etc/passwd"}, {}, None, "font"])
def test_the_font_is_sent_to_whoever_asks_for_it(said: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = SinusoidExplorer()
    sent: list[Any] = []
    monkeypatch.setattr(explorer.canvas, "send", lambda *message: sent.append(message))
    explorer.canvas._handle_msg({"content": {"data": {"method": "custom", "content": said}}, "buffers": []})
    assert sent == ([({"font": FAMILY}, [WEB_FONT.read_bytes()])] if said == FONT_WANTED else [])
    explorer.close()
