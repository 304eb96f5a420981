"""The teacher's guide and the table of models as pages of a site."""

import re

from nbformat import v4

from posenc_lessons.configs.overview import census_rows
from posenc_lessons.export import models_page
from posenc_lessons.export.page_address import MODELS_PAGE
from posenc_lessons.export.site import page_links
from posenc_lessons.export.teaching_page import teaching_page
from posenc_lessons.language import HAN
from tests.support.exported import Page

GUIDE = """# Teaching

<!-- JupyterLab -->
[中文](TEACHING.zh.md)
<!-- /JupyterLab -->

[There](https://example.org), [lesson](notebooks/05_rotary.ipynb#cell-id=play),
[a file](README.md), `05:play`, `05:run`: `05:gone`, `?explorer=rotation&m=3&mode=dark`

## Two things
"""


def test_the_guide_links_to_cells_pictures_sections_and_other_sites() -> None:
    cell = v4.new_markdown_cell("# 5 · Play | rest", id="play")
    code = v4.new_code_cell("1", id="run")
    books = {"05_rotary.ipynb": v4.new_notebook(cells=[cell, code])}
    main, sections = teaching_page(GUIDE, "en", books, page_links("teaching.html", books), "e/")
    assert re.findall(r'<a href="([^"]*)">(.*?)</a>', main) == [
        ("https://example.org", "There"),
        *(("05_rotary.html#play", "lesson"), ("05_rotary.html#play", "05 · Play | rest")),
        ("e/?explorer=rotation&amp;m=3&amp;mode=dark", "Rotation: query at m\u00a0=\u00a03"),
    ]
    assert "<code>05:gone</code>" in main and "中文" not in main
    assert sections == [("#part-1", "Two things")]


def test_every_model_has_a_row_with_a_value_for_each_column() -> None:
    rows, (_, names) = census_rows(), models_page.entries("en")
    assert len(rows) > 200 and {len(row) for row in rows} == {len(models_page.COLUMNS)}
    cell = v4.new_markdown_cell("# 05", id="pairings")
    notebooks = {"05_rotary.ipynb": v4.new_notebook(cells=[cell])}
    main = models_page.models_page("en", page_links(MODELS_PAGE, notebooks))
    assert main.count("<tr>") == len(rows) + 1 and 'href="05_rotary.html#pairings"' in main
    assert not HAN.search(main) and "llama" in names["text"]
    Page(f'<html lang="en">{main}</html>')
    (llama,) = re.findall(r"<tr><th scope=\"row\"><code>llama</code></th>(.*?)</tr>", main)
    assert re.findall(r"<td[^>]*>([^<]*)</td>", llama) == [
        *("2 queries, keys", "RoPE", "half split", "the whole head", "10,000", "all alike"),
    ]
    assert 'data-order="10000"' in llama


def test_columns_with_few_values_have_a_menu() -> None:
    assert models_page._choices(["b", "–", "a", "b"]) == ["a", "b", "–"]
    assert models_page._choices([str(n) for n in range(models_page.MOST_CHOICES + 1)]) == []
    assert models_page._cell((1.0, 2000.0), "en") == {"words": "1 / 2,000", "order": "2000"}
    assert models_page._cell(None, "en") == {"words": "–", "order": ""}
