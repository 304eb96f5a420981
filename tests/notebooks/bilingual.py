"""Compare the two languages of a Markdown cell.

``problems(source)`` names every difference that a translation must not have. Each language may have its own
wording, but formulas, code, links, numbers, lists and tables are facts, which must be the same.
"""

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from posenc_lessons.course.glossary import GLOSSARY, MISTRANSLATIONS
from posenc_lessons.language import CHINESE, HAN

# Words that the text must not contain → what it should say.
FORBIDDEN = {each.wrong.removesuffix("指数"): each.right for each in MISTRANSLATIONS}

OPENING = {'<div lang="zh">': "zh", '<div lang="en">': "en"}
CLOSING = "</div>"
SUMMARY = re.compile(r'<summary><span lang="zh">(.+?)</span> <span lang="en">(.+?)</span></summary>')


@dataclass
class Block:
    """One language's block, or the text outside the blocks (language None). Lines count from 1."""

    language: str | None
    first_line: int
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def problems(source: str) -> list[str]:
    """Return every defect of the cell that a reader of one language would see."""
    blocks, found = split(source)
    for block in blocks:
        if block.language is None:
            found += outside(block)
        else:
            found += alone(block)
    languages = [block for block in blocks if block.language is not None]
    for first, second in zip(languages[::2], languages[1::2], strict=False):
        if (first.language, second.language) == ("zh", "en"):
            found += differences(first.text, second.text)
    if [block.language for block in languages] != ["zh", "en"] * (len(languages) // 2):
        order = " ".join(str(block.language) for block in languages)
        found.append(f"blocks must alternate zh en, here they come as: {order}")
    return found


def comment_problems(code: str) -> list[str]:
    """Return comments and docstrings of a code cell that are in one language only."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
        tree = ast.parse(code)
    except (SyntaxError, tokenize.TokenError):
        return ["the code does not parse"]
    remarks = [token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT]
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    remarks += [ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, documented)]
    return [f"only one language: {remark}" for remark in remarks if not _for_both(remark)]


def _for_both(remark: str) -> bool:
    if last := list(HAN.finditer(remark)):
        en = re.split(" · |\n", remark[last[-1].end() :], maxsplit=1)[1:]
        return bool(en) and bool(re.search("[A-Za-z]", en[0])) and not CHINESE.search(en[0])
    # Names, shapes and functions are the same in both languages; three words in a row count as a sentence.
    words_alone = re.sub(r"\b(?:sin|cos|exp|log)\b", "", remark)
    return not re.search(r"(?:\b[a-z]{2,}\s+){2,}[a-z]{2,}\b", words_alone, flags=re.IGNORECASE)


# ---- blocks -------------------------------------------------------------------------------------------


def split(source: str) -> tuple[list[Block], list[str]]:
    """Return the cell's blocks in order, and the defects of its tags."""
    found: list[str] = []
    blocks = [Block(None, 1)]
    lines = source.split("\n")
    for number, line in enumerate(lines, 1):
        inside = blocks[-1].language is not None
        if line in OPENING:
            if inside:
                found.append(f"line {number}: {line} opens inside another block")
            if number < len(lines) and lines[number].strip():
                found.append(f"line {number}: no blank line after {line}, so Markdown inside is not rendered")
            blocks.append(Block(OPENING[line], number + 1))
        elif line == CLOSING and inside:
            if blocks[-1].lines and blocks[-1].lines[-1].strip():
                found.append(f"line {number}: no blank line before {line}")
            blocks.append(Block(None, number + 1))
        else:
            if re.search(r"</?div\b|\blang\s*=", line) and not SUMMARY.fullmatch(line):
                found.append(f"line {number}: a tag of blocks that is not alone on its line: {line.strip()}")
            blocks[-1].lines.append(line)
    if blocks[-1].language is not None:
        found.append(
            f"the {blocks[-1].language} block that starts on line {blocks[-1].first_line} never closes"
        )
    return blocks, found


def outside(block: Block) -> Iterator[str]:
    """Yield text between blocks other than bilingual headings, formulas, code and tables."""
    rest = re.sub(r"```.*?```|\$\$.*?\$\$|<!--.*?-->", "", block.text, flags=re.DOTALL)
    for line in rest.split("\n"):
        if line.startswith("#"):
            yield from heading(line)
        elif line.startswith("![") or line.lstrip().startswith("<img"):
            yield from picture(line)
        elif fold := SUMMARY.fullmatch(line):
            if not HAN.search(fold[1]) or CHINESE.search(fold[2]):
                yield f"summary is not Chinese, then English: {line}"
        elif words(line):
            yield f"prose outside the language blocks: {line.strip()[:60]}"


def heading(line: str) -> Iterator[str]:
    """Yield defects of a heading ``## 中文 · English``, which may have a shared number in front."""
    parts = line.lstrip("# ").split(" · ")
    if len(parts) > 2 and re.fullmatch(r"\d+", parts[0]):
        parts = parts[1:]
    chinese = [number for number, part in enumerate(parts) if HAN.search(part)]
    english = parts[chinese[-1] + 1 :] if chinese else []
    if not chinese or not re.search("[A-Za-z]", " ".join(english)):
        yield f"heading is not of the form 中文 · English: {line}"
        return
    first = re.sub(r"^\d+\s+", "", " ".join(parts[: chinese[-1] + 1]))
    yield from compare("numbers in the heading", numbers(first), numbers(" ".join(english)))


def picture(line: str) -> Iterator[str]:
    alt = re.search(r'!\[(.*?)\]|alt="(.*?)"', line)
    if alt is None or not HAN.search(alt.group()) or not re.search("[A-Za-z]{2}", alt.group()):
        yield f"picture without a description in both languages: {line.strip()[:60]}"


# ---- one language -------------------------------------------------------------------------------------


def alone(block: Block) -> Iterator[str]:
    """Yield defects of a block that do not depend on the other one."""
    text = block.text
    if not text.strip():
        yield f"the {block.language} block is empty"
    for line in text.split("\n"):
        if re.match(r"#{1,6} ", line) and not _inside_fence(text, line):
            yield f"heading inside the {block.language} block (the contents panel lists hidden ones): {line}"
    if block.language == "en":
        if foreign := CHINESE.search(text):
            yield f"Chinese in the English block: …{_around(text, foreign)}…"
        return
    prose = prose_of(text)
    if text.strip() and not HAN.search(prose):
        yield "the Chinese block holds no Chinese"
    # Names, titles and links can be in English, sentences cannot.
    told = re.sub(r"\*[^*]+\*|\[[^\]]*\]", " ", prose)
    if run := re.search(r"(?:[A-Za-z][A-Za-z'’-]*[ ,;]+){7,}[A-Za-z]+", told):
        yield f"an English sentence in the Chinese block: {run.group()[:60]}"
    if digit := re.search("[０-９]", text):
        yield f"fullwidth digit in the Chinese block: …{_around(text, digit)}…"
    if half := re.search(rf"{HAN.pattern}[,;:?!](?=\s|$|{HAN.pattern})|{HAN.pattern}\.(?=\s|$)", prose):
        yield f"halfwidth punctuation after Chinese: …{_around(prose, half)}…"
    for wrong, right in FORBIDDEN.items():
        if wrong in text:
            yield f"mistranslation {wrong}, say {right}"


def _inside_fence(text: str, line: str) -> bool:
    return any(line in fence for fence in re.findall(r"```.*?```", text, flags=re.DOTALL))


def _around(text: str, match: re.Match[str]) -> str:
    return text[max(0, match.start() - 12) : match.end() + 12].replace("\n", " ")


# ---- both ---------------------------------------------------------------------------------------------


def differences(zh: str, en: str) -> Iterator[str]:
    """Yield facts that only one of the languages states."""
    zh, en = (re.sub(r"\n{2,}", "\n\n", text.strip()) for text in (zh, en))
    yield from compare("code blocks", fences(zh), fences(en))
    zh, en = (re.sub(r"```.*?```", "", text, flags=re.DOTALL) for text in (zh, en))
    yield from compare("display formulas", display_formulas(zh), display_formulas(en))
    yield from compare("inline formulas", inline_formulas(zh), inline_formulas(en))
    yield from compare("inline code", inline_code(zh), inline_code(en))
    yield from compare("links", links(zh), links(en))
    yield from compare("numbers", numbers(prose_of(zh)), numbers(prose_of(en)))
    for what, shape in (("lists", list_shapes), ("tables", table_shapes)):
        if shape(zh) != shape(en):
            yield f"{what} differ in shape: zh {shape(zh)}, en {shape(en)}"
    yield from terms(zh, en)


def compare(what: str, zh: Iterable[str], en: Iterable[str]) -> Iterator[str]:
    """Yield the things that one language has more often than the other."""
    counted = Counter(zh), Counter(en)
    for language, more, less in (("zh", *counted), ("en", *reversed(counted))):
        if only := list((more - less).elements()):
            yield f"{what} only in {language}: {', '.join(only)}"


def terms(zh: str, en: str) -> Iterator[str]:
    """Yield fixed terms of the English text whose Chinese word is not in the Chinese."""
    english = re.sub(r"\*[^*]+\*|\[[^\]]*\]", " ", prose_of(en))  # titles are not translated
    for term in GLOSSARY:
        if not term.fixed:
            continue
        used = re.search(rf"\b{re.escape(term.en)}(?:s|es)?\b", english, flags=re.IGNORECASE)
        if used and not any(accepted in zh for accepted in (term.zh, *term.also)):
            yield f'glossary: the English says "{used.group()}", the Chinese never says {term.zh}'


# ---- the parts of a text ------------------------------------------------------------------------------

_DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
_CODE = re.compile(r"(`+)(.+?)\1")
_INLINE = re.compile(r"(?<![\\$])\$(?!\s|\$)((?:\\.|[^$\\])+?)(?<!\s)\$(?!\$)")
_LINK = re.compile(r"!?\[([^\]]*)\]\(([^)\s]+)[^)]*\)|<(https?://[^>]+)>")
_LIST = re.compile(r"^(\s*)([-*+]|\d+[.)])\s+")


def fences(text: str) -> list[str]:
    return [fence.strip() for fence in re.findall(r"```.*?```", text, flags=re.DOTALL)]


def display_formulas(text: str) -> list[str]:
    return [" ".join(formula.split()) for formula in _DISPLAY.findall(text)]


def inline_formulas(text: str) -> list[str]:
    bare = _CODE.sub(" ", _DISPLAY.sub(" ", text))
    return [" ".join(formula.split()) for formula in _INLINE.findall(bare)]


def inline_code(text: str) -> list[str]:
    return [code.strip() for _, code in _CODE.findall(_DISPLAY.sub(" ", text))]


def links(text: str) -> list[str]:
    return [target or bare for _, target, bare in _LINK.findall(_CODE.sub(" ", text))]


def prose_of(text: str) -> str:
    """Return only the words and the text of links, without code, formulas and addresses."""
    for pattern, instead in (
        (re.compile(r"```.*?```", re.DOTALL), " "),
        (_DISPLAY, " "),
        (_CODE, " "),
        (_INLINE, " "),
        (_LINK, r"[\1]"),
        (re.compile(r"<[^>]+>"), " "),
    ):
        text = pattern.sub(instead, text)
    return text


def words(text: str) -> bool:
    """Return True if there is anything to read, in any language."""
    return bool(HAN.search(prose_of(text)) or re.search("[A-Za-z]{2}", prose_of(text)))


def numbers(prose: str) -> list[str]:
    """Return numbers in digits, 10,000 as 10000, except in names (T5, GPT-2, float32) and list marks."""
    unmarked = "\n".join(_LIST.sub("", line) for line in prose.split("\n"))
    plain = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", unmarked)
    return re.findall(r"(?<![A-Za-z_\d.])(?<![A-Za-z]-)\d+(?:\.\d+)*", plain)


def list_shapes(text: str) -> list[tuple[str, int, int]]:
    """Return (ordered or bullets, indent, number of items) of each run of items of one list."""
    shapes: list[tuple[str, int, int]] = []
    fresh = True
    for line in text.split("\n"):
        mark = _LIST.match(line)
        if mark:
            kind, indent = ("ordered" if mark.group(2)[0].isdigit() else "bullets"), len(mark.group(1))
            if shapes and not fresh and shapes[-1][:2] == (kind, indent):
                shapes[-1] = (kind, indent, shapes[-1][2] + 1)
            else:
                shapes.append((kind, indent, 1))
            fresh = False
        elif line.strip() and not line.startswith(" "):
            fresh = True
    return shapes


def table_shapes(text: str) -> list[tuple[int, int]]:
    """Return (rows, columns) of each table, its head included."""
    shapes: list[tuple[int, int]] = []
    fresh = True
    for line in _INLINE.sub("x", _CODE.sub("x", text)).split("\n"):
        if line.strip().startswith("|"):
            columns = len(re.findall(r"(?<!\\)\|", line.strip().strip("|"))) + 1
            if re.fullmatch(r"[\s|:-]+", line):
                continue
            if fresh:
                shapes.append((0, columns))
            rows, widest = shapes[-1]
            shapes[-1] = (rows + 1, max(widest, columns))
            fresh = False
        else:
            fresh = True
    return shapes
