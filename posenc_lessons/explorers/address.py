"""The page's address, read and written from Python; and the button that copies it."""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets

from posenc_lessons.course.language import Text

COPY = Text("复制链接", "Copy link")
COPIED = Text("链接已复制，打开它就回到现在的样子。", "Link copied: it opens what you see now.")
BY_HAND = Text("请手动复制：", "Please copy by hand:")


class Address(anywidget.AnyWidget):
    """``asked`` is what the address said after its question mark once ``arrived``; ``shown``, what to say."""

    _esm = Path(__file__).with_name("address.js")

    asked = traitlets.Unicode("").tag(sync=True)
    arrived = traitlets.Bool(False).tag(sync=True)
    shown = traitlets.Unicode("").tag(sync=True)
    label = traitlets.Unicode("").tag(sync=True)
    copied = traitlets.Unicode("").tag(sync=True)
    by_hand = traitlets.Unicode("").tag(sync=True)

    def relabel(self) -> None:
        """Speak the reader's language."""
        self.label, self.copied, self.by_hand = COPY.show(), COPIED.show(), BY_HAND.show()
