"""Words of a lesson only for JupyterLab, and only for its page."""

import nbformat
import pytest

from posenc_lessons.course.lessons import lesson_files, shipped_lessons
from posenc_lessons.export.in_page import SKIPPED, in_page, prose_in_page

SHIPPED = shipped_lessons()
KEYS = ("`Shift`", "`Kernel`", "Restart Kernel", "■")
# Words for times of training with PyTorch, which are not a page's, and for numbers that a page has not just
# computed.
PACES = ("几秒到", "几秒钟", "十几秒", "半分钟", "half a minute", "some seconds", "few seconds")
JUST_COMPUTED = ("刚算的", "just computed")


def test_words_only_for_jupyterlab_or_only_for_the_page() -> None:
    both = "Look.<!-- JupyterLab --> Press Enter.<!-- /JupyterLab --><!-- page: Press Run.--> Go on."
    assert prose_in_page(both) == "Look.Press Run. Go on."


def test_a_cell_with_the_tag_not_in_page_is_left_out() -> None:
    cells = [nbformat.v4.new_markdown_cell(words) for words in ("one", "two")]
    cells[0].metadata["tags"] = [SKIPPED]
    assert [cell.source for cell in in_page(nbformat.v4.new_notebook(cells=cells)).cells] == ["two"]


@pytest.mark.parametrize("path", [path for path in lesson_files(SHIPPED) if path.suffix == ".ipynb"], ids=str)
def test_no_page_has_a_comment_a_key_or_a_pace_of_jupyterlab(path: object) -> None:
    for cell in in_page(nbformat.read(SHIPPED / str(path), as_version=4)).cells:
        if cell.cell_type == "markdown":
            assert "<!--" not in cell.source, cell.id
            for words in (*KEYS, *PACES, *JUST_COMPUTED):
                assert words not in cell.source, (cell.id, words)
