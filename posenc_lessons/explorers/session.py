"""What a reader is told when the program behind the page is gone, and the button that begins anew."""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets

from posenc_lessons.language import Text

KEPT = Text(
    "你的参数和写下的文字都还在这一页上。", "Your settings and what you typed are still here on this page."
)


def _and_kept(zh: str, en: str) -> Text:
    return Text(zh + KEPT.zh, f"{en} {KEPT.en}")


# By what happened; "again" is the button.
WORDS: dict[str, Text] = {
    "crashed": _and_kept(
        "这一页背后的程序停了，图不再跟着动。",
        "The program behind this page has stopped, so the pictures no longer follow.",
    ),
    "ended": _and_kept(
        "这一页很久没有用，服务器已经把它收起来了，图不再跟着动。",
        "This page was not used for a while, so the server has closed its session and the pictures no longer "
        "follow.",
    ),
    "away": _and_kept(
        "服务器没有回应：可能是网络断了，也可能是服务器停了。一有回应，这一页会自己接上。",
        "The server does not answer: either the network is down or the server was stopped. As soon as it "
        "answers, this page goes on by itself.",
    ),
    "still_away": _and_kept(
        "服务器还是没有回应，现在没法重新开始。先别关这一页，过一会儿再按；如果是上课，请告诉老师。",
        "Still no answer from the server, so nothing can be started now. Leave this page open and press "
        "again in a while; in class, tell your teacher.",
    ),
    "refused": _and_kept(
        "服务器不再认得这一页的链接，大概是它重新启动过。请打开新的链接（运行服务器的人那里有）。",
        "The server no longer knows this page's link; it was probably started anew. Open the new link, which "
        "whoever runs the server can give you.",
    ),
    "again": Text("照现在的样子重新开始", "Start again as it is now"),
}


class Session(anywidget.AnyWidget):
    """On a page of the explorers' own, watches the kernel from the browser: nothing here needs it alive."""

    _esm = Path(__file__).with_name("session.js")

    words = traitlets.Dict({name: text.parts() for name, text in WORDS.items()}).tag(sync=True)
    me = traitlets.Unicode("").tag(sync=True)  # what a kernel that still knows this page knows it by

    def __init__(self) -> None:
        super().__init__()
        self.me = self.model_id
