"""The page's address, read and written from Python; and the button that copies it."""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets

from posenc_lessons.language import Text

COPY = Text("复制链接", "Copy link")
COPIED = Text("链接已复制，打开它就回到现在的样子。", "Link copied: it opens what you see now.")
COPIED_IN_PART = Text(
    "链接已复制，但没有写进 {names}：文字太长，链接装不下。",
    "Link copied, but without {names}: the text is too long for a link.",
)
BY_HAND = Text("请手动复制：", "Please copy by hand:")


class Address(anywidget.AnyWidget):
    """``asked`` is what the address said after its question mark once ``arrived``; ``shown``, what to say.

    A page that is loaded again ``asked`` for what it showed last, and ``also`` for its other explorers; where
    it finds all that, without a kernel, is in ``places``.
    """

    _esm = Path(__file__).with_name("address.js")

    asked = traitlets.Unicode("").tag(sync=True)
    arrived = traitlets.Bool(False).tag(sync=True)
    also = traitlets.List(traitlets.Unicode()).tag(sync=True)
    again = traitlets.Bool(False).tag(sync=True)
    places = traitlets.Dict().tag(sync=True)
    shown = traitlets.Unicode("").tag(sync=True)
    label = traitlets.Unicode("").tag(sync=True)
    copied = traitlets.Unicode("").tag(sync=True)
    by_hand = traitlets.Unicode("").tag(sync=True)

    def relabel(self, rest: tuple[Text, ...] = ()) -> None:
        """Speak the reader's language; ``rest`` are the names of controls that the link has to leave out."""
        copied = COPIED
        if rest:
            zh, en = "、".join(name.zh for name in rest), ", ".join(name.en for name in rest)
            copied = Text(COPIED_IN_PART.zh.format(names=zh), COPIED_IN_PART.en.format(names=en))
        self.label, self.copied, self.by_hand = COPY.show(), copied.show(), BY_HAND.show()
