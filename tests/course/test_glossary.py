"""Each term has one name per language and is explained in both; no mistranslation is used."""

import html
import re
from pathlib import Path

import pytest

from posenc_lessons.course import glossary
from posenc_lessons.course.glossary import GLOSSARY, MISTRANSLATIONS, Term
from posenc_lessons.course.lessons import lesson_names, shipped_lessons
from posenc_lessons.language import HAN, Text
from tests.notebooks.bilingual import FORBIDDEN

ROOT = Path(__file__).resolve().parents[2]


LESSONS = {lesson[:2] for lesson in lesson_names(shipped_lessons())}


def test_no_name_is_used_twice_and_no_accepted_word_is_another_terms_name() -> None:
    """Otherwise a lesson's word could mean either term."""
    for names in ([term.en.casefold() for term in GLOSSARY], [term.zh for term in GLOSSARY]):
        assert len(set(names)) == len(names)
    chinese = {term.zh: term.en for term in GLOSSARY}
    clashes = [
        (term.en, word) for term in GLOSSARY for word in term.also if chinese.get(word, term.en) != term.en
    ]
    assert clashes == []


@pytest.mark.parametrize("term", GLOSSARY, ids=lambda term: term.en)
def test_a_term_is_explained_in_both_languages(term: Term) -> None:
    assert term.en.strip() == term.en != "" and term.zh.strip() == term.zh != ""
    assert not HAN.search(term.en + term.meaning.en + term.source)
    assert len(HAN.findall(term.meaning.zh)) >= 8
    assert term.meaning.zh.endswith("。") and len(term.meaning.zh.rstrip("。").split("。")) <= 2
    assert term.meaning.en.endswith(".") and len(re.findall(r"[.:;!?](?:\s|$)", term.meaning.en)) <= 4
    assert not re.search(rf"{HAN.pattern}[,;:.]", term.meaning.zh)

    touching = rf"{HAN.pattern}[A-Za-z0-9]|[A-Za-z0-9]{HAN.pattern}"
    assert not re.search(touching, term.zh + " " + term.meaning.zh)
    digits = [sorted(re.findall(r"\d+", text)) for text in (term.meaning.zh, term.meaning.en)]
    assert digits[0] == digits[1]
    assert term.lesson in LESSONS
    assert term.source == "" or re.search(r"\d{4}, arXiv \d{4}\.\d{5}$", term.source)


def test_mistranslations_are_told_with_the_right_word() -> None:
    right = {term.zh for term in GLOSSARY}
    for one in MISTRANSLATIONS:
        assert one.right in right or one.wrong == "缓存和值"
        assert one.wrong not in right and HAN.search(one.says.zh) and not HAN.search(one.says.en + one.en)
    assert {"代币", "要素", "点产品", "缓存和值", "头寸", "持仓"} == set(FORBIDDEN)
    shown = glossary.mistranslations()._repr_mimebundle_()
    for one in MISTRANSLATIONS:
        assert one.wrong in shown["text/html"] and one.right in shown["text/plain"]


def written_by_us() -> list[Path]:
    """Return the course's text and code, without glossary.json, which contains the wrong words."""
    kinds = ("posenc_lessons/**/*.py", "posenc_lessons/**/*.js", "*.md", "notebooks/**/*.ipynb")
    return [path for kind in kinds for path in ROOT.glob(kind) if ".ipynb_checkpoints" not in path.parts]


def test_no_lesson_uses_a_wrong_word() -> None:
    """The lesson that shows them reads them from the list, so only its recorded output may contain them."""
    import nbformat

    used = []
    for path in written_by_us():
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            text = "\n".join(cell.source for cell in nbformat.reads(text, as_version=4).cells)
        used += [(path.name, word) for word in FORBIDDEN if word in text]
    assert used == []


def test_the_table_follows_the_switch() -> None:
    page = glossary.table()._repr_mimebundle_()["text/html"]
    assert page.count("<tr>") == len(GLOSSARY) + 1
    assert page.count('<div lang="zh">') == page.count('<div lang="en">')
    assert page.count('class="chinese"') == len(GLOSSARY) + 1  # the first column, with its heading
    assert page.index('class="chinese"') < page.index(Text("英文", "English").html())
    assert all(f"{html.escape(term.source)})" in page for term in GLOSSARY if term.source)
