"""A cell's words are shown in both languages, as data, in every environment."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from posenc_lessons import display as showing
from posenc_lessons import language
from posenc_lessons.display import display, say
from posenc_lessons.language import Text

PACKAGE = Path(showing.__file__).parent
Shown = list[Mapping[str, str]]  # each output: its forms by MIME type


@pytest.fixture
def shown() -> Iterator[Shown]:
    """Return the list of outputs that a page receives, which displays them itself."""
    outputs: Shown = []
    showing.use(outputs.append)  # type: ignore[arg-type]
    yield outputs
    showing.use(None)


@pytest.mark.parametrize(
    ("lines", "plain", "html"),
    [
        (
            [Text("3 对", "3 pairs")],
            "3 对 · 3 pairs",
            '<pre lang="zh">3 对</pre><pre lang="en">3 pairs</pre>',
        ),
        (
            ["d  θ", Text("4  小", "4  small")],
            "d  θ\n4  小\nd  θ\n4  small",
            '<pre lang="zh">d  θ\n4  小</pre><pre lang="en">d  θ\n4  small</pre>',
        ),
        (["q < k"], "q < k", "<pre>q &lt; k</pre>"),
    ],
)
def test_each_language_has_its_own_block(
    shown: Shown, lines: list[Text | str], plain: str, html: str
) -> None:
    say(*lines)
    assert shown == [{"text/plain": plain, "text/html": html}]


def test_a_reader_of_one_language_gets_that_language_as_plain_text(shown: Shown) -> None:
    with language.shown_in("en"):
        say(Text("太晚了", "too late"))
    assert shown[0]["text/plain"] == "too late"


def test_without_jupyter_the_plain_text_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    say("θ = 1")
    assert capsys.readouterr().out == "θ = 1\n"


@pytest.fixture
def in_ipython() -> Iterator[None]:
    InteractiveShell.instance()
    yield
    InteractiveShell.clear_instance()


@pytest.mark.usefixtures("in_ipython")
def test_ipython_shows_both_forms_and_replaces_an_output() -> None:
    with capture_output() as captured:
        say(Text("一", "one"))
        handle = display({"text/plain": "before"}, updatable=True)
        assert handle is not None
        handle.update({"text/plain": "after"})
    said, before, after = captured.outputs
    assert said.data["text/html"] == '<pre lang="zh">一</pre><pre lang="en">one</pre>'
    assert (before.data, after.data) == ({"text/plain": "before"}, {"text/plain": "after"})
