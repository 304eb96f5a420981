"""The sentences below the grid explorer's picture."""

import math

import numpy as np

from posenc_lessons.explorers.caption import Caption, Colored, filled, number, sentences
from posenc_lessons.explorers.definition import Arrays, Parameters
from posenc_lessons.explorers.grid_numbers import TRAINED, Patches, grid_numbers
from posenc_lessons.figures.colors import CHOSEN, WRONG
from posenc_lessons.figures.grid import ALONG_COLUMN, ALONG_ROW
from posenc_lessons.language import Text

UNCHANGED = 5e-4  # a smaller change cannot be seen in the digits shown


def grid_caption(parameters: Parameters, arrays: Arrays) -> Text:
    """Say the patch's scores with itself and its neighbours, and what growing and shifting changed."""
    scores, place = arrays["scores"], (arrays["row"], arrays["column"])
    if math.isnan(scores[place]):
        return sentences(_without_rows(scores))
    lines: list[Text] = [_neighbours(scores, place, arrays["frame"])]
    if arrays["trained"] is not None:
        lines.append(_before(arrays["trained"], arrays["trained_at"]))
        step = Patches.of(parameters).step
        if step != 1:
            near = Text(
                "隔壁的图块隔训练时的 {step:.2f} 步。",
                "The next patch is {step:.2f} of a step of training away.",
            )
            lines.append(near.format(step=step))
    if parameters["shift"]:
        lines.append(_shifted(parameters, scores))
    if unseen := int((~arrays["met"] & ~np.isnan(scores)).sum()):
        lines.append(_never_met(unseen, scores.size))
    if np.isnan(scores).any():
        lines.append(_without_rows(scores))
    return sentences(*lines)


def _neighbours(scores: np.ndarray, place: tuple[int, int], frame: int) -> Caption:
    itself = Text("自己", "itself")
    if frame:
        itself = Text(f"第 {frame} 帧的自己", f"itself in frame {frame}")
    beside, below = _beside(scores, place)
    return filled(
        Text(
            "图块 ({row}, {column}) 和{itself}的分数 {own}，和同行的邻居 {beside}，和同列的邻居 {below}。",
            "Patch ({row}, {column}) scores {own} with {itself}, {beside} with its neighbour in the row and "
            "{below} with the one in the column.",
        ),
        itself=itself,
        row=place[0],
        column=place[1],
        own=number(float(scores[place]), CHOSEN),
        beside=number(beside, ALONG_ROW),
        below=number(below, ALONG_COLUMN),
    )


def _before(trained: np.ndarray, at: tuple[int, int]) -> Caption:
    beside, below = _beside(trained, at)
    return filled(
        Text(
            f"在 {TRAINED} × {TRAINED} 的图里，两个邻居是 {{beside}} 和 {{below}}。",
            f"In a picture of {TRAINED} × {TRAINED} the two neighbours have {{beside}} and {{below}}.",
        ),
        beside=number(beside, ALONG_ROW),
        below=number(below, ALONG_COLUMN),
    )


def _beside(scores: np.ndarray, place: tuple[int, int]) -> tuple[float, float]:
    """Return the scores with the next patch in the row and in the column, or with the one before."""
    row, column = place
    neighbours = []
    for line, at in ((scores[row], column), (scores[:, column], row)):
        has_next = at + 1 < len(line) and not math.isnan(line[at + 1])  # a table may end here
        neighbours.append(float(line[at + 1 if has_next else at - 1]))
    return neighbours[0], neighbours[1]


def _shifted(parameters: Parameters, scores: np.ndarray) -> Text:
    patches = Patches.of({**parameters, "shift": 0})
    unshifted = grid_numbers(patches, parameters["row"], parameters["column"], parameters["frame"]).scores
    most = float(np.nanmax(np.abs(scores - unshifted)))
    if most < UNCHANGED:
        return Text(
            "整幅移动了 {n}，没有一个分数变。",
            "The whole picture has moved by {n}, and no score has changed.",
        ).format(n=parameters["shift"])
    return Text(
        "整幅移动了 {n}，分数变了，最多 {most:.2f}。",
        "The whole picture has moved by {n}, and scores have changed, by up to {most:.2f}.",
    ).format(n=parameters["shift"], most=most)


def _never_met(unseen: int, of: int) -> Caption:
    return filled(
        Text(
            "虚线外有 {unseen} 块（共 {of} 块）：这样的位置关系训练时没有过。",
            "{unseen} of {of} patches are beyond the dashes: training never had them at such positions.",
        ),
        unseen=Colored(str(unseen), WRONG),
        of=of,
    )


def _without_rows(scores: np.ndarray) -> Caption:
    missing = int(np.isnan(scores).sum())
    lacks = Text(
        "表里没有这么大的行号、列号：{missing} 块没有分数。",
        "The table has no row for positions that large: {missing} patches have no score.",
    )
    return filled(lacks, missing=Colored(str(missing), WRONG))
