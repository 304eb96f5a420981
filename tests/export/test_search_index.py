"""The search of the pages: forms of a word, Chinese, the order of results, the shown sentence."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, cast

import nbformat
import pytest

from posenc_lessons.course.lessons import lesson_files, shipped_lessons
from posenc_lessons.export import front
from posenc_lessons.export.document import as_json
from posenc_lessons.export.one_language import in_language
from posenc_lessons.export.search_index import entries
from posenc_lessons.language import Language

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="no Node here")
SEARCH = Path(front.__file__).parent / "page" / "search.js"
ASK = """
const [entries, queries] = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(queries.map((query) => searcher(entries)(query).slice(0, 8))));
"""

Hits = list[dict[str, Any]]


def ask(known: list[dict[str, str]], *queries: str) -> list[Hits]:
    """Return what the page's own script finds for each query."""
    script = re.sub("^export ", "", SEARCH.read_text(encoding="utf-8"), flags=re.MULTILINE) + ASK
    data = json.dumps([known, queries])
    ran = subprocess.run(["node", "-e", script], input=data, capture_output=True, encoding="utf-8")
    assert ran.returncode == 0, ran.stderr
    hits: list[Hits] = json.loads(ran.stdout)
    return hits


def test_the_index_cannot_end_its_script_element() -> None:
    data = {"text": "</script><b>"}
    assert "<" not in as_json(data) and json.loads(as_json(data)) == data


def test_words_with_a_long_common_beginning_match() -> None:
    alike = """rotating rotary, embeddings embedding, queries query, extrapolate extrapolation, key keys,
        normalised normalization, rot rotary, positon position"""
    other = "table tabular, score scale, base bias, mask masterpiece"
    pairs = dict(pair.split() for pair in f"{alike},{other}".split(","))
    known = [entry(word, "A", "B", f"A {word}.") for word in pairs.values()]
    for (query, word), hits in zip(pairs.items(), ask(known, *pairs), strict=True):
        assert (word in pages(hits)) == (f"{query} {word}" in alike), query


def test_a_heading_begins_an_entry_and_formulas_are_letters() -> None:
    prose = {
        "a": "# Rotary\n\nIt turns.",
        "b": "## Angle $\\theta_i$\n\nIt is $m\\,\\theta_i$.\n\n$$a^2$$\n\nMore.",
    }
    cells = [nbformat.v4.new_markdown_cell(source, id=name) for name, source in prose.items()]
    notebook = nbformat.v4.new_notebook(cells=[*cells, nbformat.v4.new_code_cell("x = 1")])
    assert list(entries({"05_rotary.ipynb": notebook}, "en")) == [
        entry("05_rotary.html", "Rotary", text="It turns."),
        entry("05_rotary.html#b", "Rotary", "Angle θi", "It is mθi. More."),
    ]
    for language, heading in {"en": "mask", "zh": "掩码 · mask"}.items():
        terms = entries({"glossary.ipynb": notebook}, cast("Language", language))
        assert ("glossary.html#glossary", heading) in {(term["page"], term["heading"]) for term in terms}


# The first page found for a query; … stands for questions/.
FIRST: dict[Language, str] = {
    "en": """rotary 05_rotary | rotatoin 05_rotary | softmax glossary | rotate half …rotate_half
        why does rotate_half differ from the paper …rotate_half | sinusoids 02_sinusoidal | CoPE 06_cope
        learnt positions 03_learned | transformers 07_transformer | left padded …left_padding
        packed position_ids …packing | start here 00_start_here | slopes of ALiBi 04_relative""",
    "zh": """旋转位置编码 05_rotary | ＲｏＰＥ 外推 08_longer_than_trained | 注意力 01_why_position
        可学习的位置编码 03_learned | 上下文位置编码 06_cope | 左填充 …left_padding | 相对的位置 04_relative
        为什么既要正弦又要余弦 …sine_and_cosine | rotate_half 和论文不一样 …rotate_half
        打包，position_ids …packing | attention sink glossary""",
}


@pytest.mark.sweep
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_first_results_of_some_queries(language: Language) -> None:
    source = shipped_lessons()
    names = [path.as_posix() for path in lesson_files(source)]
    read = {name: in_language(nbformat.read(source / name, as_version=4), language) for name in names}
    rows = [row.strip().rpartition(" ") for row in re.split(r"[|\n]", FIRST[language])]
    wanted = {query: page.replace("…", "questions/") for query, _, page in rows}
    found = ask([*entries(read, language)], *wanted)
    first = [re.sub(r"\.html.*", "", hits[0]["entry"]["page"]) if hits else None for hits in found]
    assert dict(zip(wanted, first, strict=True)) == wanted


def entry(page: str, title: str, heading: str = "", text: str = "") -> dict[str, str]:
    return {"page": page, "title": title, "heading": heading, "text": text}


def pages(hits: list[dict[str, Any]]) -> list[str]:
    return [hit["entry"]["page"] for hit in hits]


def test_a_title_comes_before_a_heading_and_a_heading_before_the_text() -> None:
    known = [
        entry("text", "One", "Two", "All about masks, more masks and masking."),
        entry("solutions/title", "Masks: solutions"),
        entry("heading", "Three", "A mask", "Nothing."),
        entry("title", "Masks"),
        entry("other", "Four", "Five", "Six."),
    ]
    (hits,) = ask(known, "mask")
    assert pages(hits) == ["title", "heading", "solutions/title", "text"]


VARIANTS = {
    **{
        "prenorm": "The pre-norm layer.",
        "post-norm": "The postnorm layer.",
        "pre norm": "The pre-norm layer.",
    },
    **{"POSITION’S": "A position.", "ｆｕｌｌ　ｗｉｄｔｈ": "The full width.", "cafe": "A café."},
    **{"注意力,顺序": "注意力看不见顺序。", "注意力的顺序": "看不见的是注意力顺序。", "的": "是谁的。"},
    "the": "Not the other.",
}


def test_variants_are_found_and_absent_words_are_not() -> None:
    known = [entry(query, "A", "B", text) for query, text in VARIANTS.items()]
    for query, hits in zip(VARIANTS, ask(known, *VARIANTS), strict=True):
        assert query in pages(hits)
    assert ask(known, "", "  ", "?!", "zebra", "斑马") == [[]] * 5


def test_the_best_sentence_is_shown_with_its_words_marked() -> None:
    text = "Keys turn. In config.json queries and keys are rotated alike. Rotate nothing else."
    (((hit,),),) = (ask([entry("a", "A", "B", text)], "rotating key"),)
    assert hit["sentence"] == [
        ["In config.json queries and ", False],
        *(["keys", True], [" are ", False], ["rotated", True], [" alike.", False]),
    ]
    (((hit,),),) = (ask([entry("a", "甲", "乙", "无关。注意力看不见顺序！")], "看不见"),)
    assert hit["sentence"] == [["注意力", False], ["看不见", True], ["顺序！", False]]
    (((hit,),),) = (ask([entry("a", "A", "B", f"{'word ' * 60}needle.")], "needles"),)
    assert hit["sentence"] == [["…" + "word " * 12, False], ["needle", True], [".", False]]
