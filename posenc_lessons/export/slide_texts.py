"""Prose cut into ideas for slides: a sentence and what it is about to see, all the words in the notes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

LONG = 150  # letters of an item that still stand on a slide whole
_LIST = re.compile(r"(?:[-*+]|\d+[.)]) ")
_WHOLE = re.compile(r"\$[^$]+\$|`[^`]+`|\[[^\]]*\]\([^)]*\)|\*\*.+?\*\*")  # no sentence ends in here
_FOLDED = re.compile(r"<details>\s*<summary>(.*?)</summary>(.*?)</details>", re.DOTALL)
_END = re.compile(r"(?<=[。！？])|(?<=[.!?])\s+(?=[A-Z\"“*(\x00])|(?<=[.!?][\"”])\s+(?=[A-Z])")


@dataclass
class SlideText:
    """Markdown for a slide, and what is said while it is shown."""

    shown: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def slide_texts(source: str) -> list[SlideText]:
    """The ideas of a Markdown cell without its heading, in order.

    A formula, a table, a list, a quotation or a piece of code makes an idea, with a sentence from the prose
    before it; prose alone is one idea. The same in both languages, which have the same formulas and lists.
    What is folded away, a hint or an answer, is said last; answers in a cell of their own are shown.
    """
    found: list[SlideText] = []
    waiting: list[str] = []
    for block in blocks(source):
        if _is_prose(block):
            waiting.append(block)
            continue
        idea = SlideText(notes=[*waiting, block])
        if waiting:
            idea.shown.append(_said(waiting, last=block.startswith("$$")))
        idea.shown.append(_shown(block))
        found.append(idea)
        waiting = []
    if waiting and found:
        found[-1].notes += waiting
    elif waiting:
        found.append(SlideText([_said(waiting, last=False)], waiting))
    for summary, answer in _FOLDED.findall(source):
        said = [f"**{summary}**", answer.strip()]
        if found:
            found[-1].notes += said
        else:  # the answers to what stands on the slides before
            found.append(SlideText([said[0], *map(_shown, blocks(answer))], said))
    return found


def blocks(source: str) -> Iterator[str]:
    """Paragraphs, formulas, lists, tables and fences; headings and what is folded away are left out."""
    source = _FOLDED.sub("", source)
    gathered: list[str] = []
    fence = formula = False
    for line in source.split("\n"):
        inside = fence or formula
        if line.lstrip().startswith("```"):
            fence = not fence
        elif not fence and line.count("$$") % 2:
            formula = not formula
        starts = (
            not inside
            and bool(gathered)
            and (
                line.startswith("$$")
                or (line.strip() and gathered[-1].rstrip().endswith("$$"))
                or (bool(_LIST.match(line)) and not _LIST.match(gathered[0]))
            )
        )
        if starts or (not inside and not line.strip()):
            yield from _block(gathered)
            gathered = []
        if line.strip() or inside:
            gathered.append(line)
    yield from _block(gathered)


def sentences(paragraph: str) -> list[str]:
    """The sentences of ``paragraph``; formulas, code, links and bold words are never cut."""
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found.group())
        return f"\x00{len(kept) - 1}\x01"

    masked = _WHOLE.sub(keep, " ".join(paragraph.split()))
    parts = (part.strip() for part in _END.split(masked))
    # Bold words may hold formulas, which were kept first only if they stood outside.
    return [re.sub(r"\x00(\d+)\x01", lambda m: kept[int(m[1])], part) for part in parts if part]


def _block(gathered: list[str]) -> Iterator[str]:
    if gathered and not gathered[0].startswith("#"):
        yield "\n".join(gathered)


def _is_prose(block: str) -> bool:
    return not block.startswith(("$$", "|", ">", "```", "<")) and not _LIST.match(block)


def _said(paragraphs: list[str], last: bool) -> str:
    """The sentence to put on the slide: what is bold, else the first, or the last before a formula."""
    every = [sentence for paragraph in paragraphs for sentence in sentences(paragraph)]
    bold = [sentence for sentence in every if "**" in sentence]
    if last:
        return every[-1]
    return " ".join(bold[:2]) if bold else every[0]


def _shown(block: str) -> str:
    return _short_list(block) if _LIST.match(block) else block


def _short_list(block: str) -> str:
    """A list whose long items are cut to their bold words or their first sentence."""
    items: list[str] = []
    for line in block.split("\n"):
        if re.match(r"\s*(?:[-*+]|\d+[.)]) ", line) or not items:
            items.append(line)
        else:
            items[-1] += f" {line.strip()}"
    return "\n".join(map(_short, items))


def _short(item: str) -> str:
    mark, words = re.fullmatch(r"(\s*(?:[-*+]|\d+[.)]) +)?(.*)", item, flags=re.DOTALL).groups()  # type: ignore[union-attr]
    if len(words) <= LONG:
        return item
    bold = re.match(r"\*\*.+?\*\*", words)
    return (mark or "") + (bold.group() if bold else sentences(words)[0])
