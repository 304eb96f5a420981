"""A learned table, live: any step of its training, any row beside the others, positions past its end."""

import numpy as np
import torch

from posenc_lessons.encodings import LearnedEncoding
from posenc_lessons.experiments.trained.tables import (
    ANSWERS,
    D_MODEL,
    EVERY,
    LAST,
    LENGTH,
    N_BACK,
    ROWS,
    table_history,
)
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.caption import Colored, filled, number
from posenc_lessons.explorers.controls import Choice, Control, Slider
from posenc_lessons.explorers.definition import Arrays, Parameters, Try
from posenc_lessons.figures.colors import BLUE, CHOSEN, RESULT
from posenc_lessons.figures.learned_rows import learned_rows_scene
from posenc_lessons.figures.scene import Scene
from posenc_lessons.language import BilingualIndexError, Text, text_of

SHOWN = 56  # positions of the cursor, some of them past the end
IN_PYTORCH = "index out of range in self"  # the whole message of nn.Embedding for such a position, on a CPU

TASKS = (
    (Text(f"抄前面第 {N_BACK} 个", f"copy {N_BACK} back"), "copy"),
    (Text("亮条在哪里", "where is the bar"), "bar"),
)


class LearnedTableExplorer(Explorer):
    """The rows of a table at a step of its training, one of them at the cursor."""

    name = "learned"
    title = Text("可学习的表", "Learned table")
    door = 1
    first = "step"
    grabs = frozenset({"table", "similarity", "accuracy"})
    tries = (
        Try(
            Text("从随机数开始", "From random numbers"),
            {"step": 0},
            Text(
                "拖步数：第 64 步还只答对三分之一，到第 96 步全对了。虚线以下的行，始终是淡淡的随机数。",
                "Drag the step: at step 64 a third of the answers are right, at step 96 all of "
                "them. The rows below the dashed line stay the faint random numbers they were.",
            ),
        ),
        Try(
            Text("邻居要像才好", "Neighbours had better be alike"),
            {"task": "bar"},
            Text(
                "看右上：光标两边是一个宽峰，第 20、19 行的余弦是 0.90；抄词元的表里，这两行只有 0.41。",
                "Upper right, a broad peak around the cursor: rows 20 and 19 have a cosine of 0.90. In the "
                "table that copies tokens, the same two have 0.41.",
            ),
        ),
        Try(
            Text("没训练过的行", "A row never trained"),
            {"position": 40},
            Text(
                "第 40 行一动没动，和谁都不像；右下，虚线右边的点全落到了瞎猜那条线上。",
                "Row 40 has not moved and is like no other. Lower right: past the dashed line every dot is "
                "down at the level of guessing.",
            ),
        ),
        Try(
            Text("走到表外面", "Past the end"),
            {"position": 50},
            Text(
                "没有第 50 行，也没有公式能算出一行来：只能报错。拖回 47，曲线就回来了。",
                "There is no row 50, and no formula to make one: an error is all there can be. Drag back to "
                "47 and the curve returns.",
            ),
        ),
    )

    def make_controls(self) -> dict[str, Control]:
        return {
            "task": Choice(Text("学的是什么", "what it learns"), TASKS, "copy"),
            "position": Slider(Text("位置", "position"), 0, SHOWN - 1, 20),
            "step": Slider(Text("训练到第几步", "step of training"), 0, LAST, LAST, step=EVERY),
        }

    def pointed(self, panel: str, x: float, y: float, kind: str = "press") -> Parameters:
        return {"position": self.controls["position"].nearest(y if panel == "table" else x)}

    def compute(self, parameters: Parameters) -> Arrays:
        return table_numbers(parameters["task"], parameters["step"], parameters["position"])

    def scene(self, parameters: Parameters, arrays: Arrays) -> Scene:
        numbers = {name: value for name, value in arrays.items() if name not in ("moved", "error")}
        return learned_rows_scene(**numbers, position=parameters["position"], trained=LENGTH, shown=SHOWN)

    def caption(self, parameters: Parameters, arrays: Arrays) -> Text:
        position, error = parameters["position"], arrays["error"]
        if error is not None:
            return Text(
                f"{error.zh}。PyTorch 自己的 nn.Embedding 只说：{IN_PYTORCH}。",
                f"The package says: {error.en}. PyTorch's own nn.Embedding says no more than: {IN_PYTORCH}.",
            )
        if position >= LENGTH:
            never = Text(
                "第 {p} 行：训练的文本只有 {length} 个词元，{step} 步里从没用到它，和开头一位不差。"
                "更长的文本在这个位置答对 {right}，瞎猜是 {guess:.0%}。",
                "Row {p}: texts of the training have {length} tokens, so that in {step} steps it was never "
                "used and is as it began, to the last bit. Longer texts are right here {right} of the "
                "time; guessing: {guess:.0%}.",
            )
            return filled(
                never,
                p=Colored(str(position), CHOSEN),
                length=LENGTH,
                step=parameters["step"],
                right=number(arrays["accuracy"][position], BLUE, ".0%"),
                guess=arrays["guessing"],
            )
        others = arrays["similarity"].copy()
        others[position] = -np.inf
        right = float(arrays["accuracy"][position])
        answers = Text("在这个位置答对 {right}。", "At this position {right} of the answers are right.")
        if np.isnan(right):
            answers = Text("这个位置还没有答案。", "Nothing can be answered here yet.")
        return filled(
            Text(
                "训练把第 {p} 行挪动了 {moved:.2f}（欧氏距离）。最像它的是第 {like} 行，余弦相似度 {cosine}。"
                + answers.zh,
                "Training has moved row {p} by {moved:.2f} (Euclidean distance). Most like it is row {like}, "
                "with a cosine similarity of {cosine}. " + answers.en,
            ),
            p=Colored(str(position), CHOSEN),
            moved=arrays["moved"],
            like=int(others.argmax()),
            cosine=number(float(others.max()), RESULT),
            right=number(right, BLUE, ".0%"),
        )


def table_numbers(task: str, step: int, position: int) -> Arrays:
    """Return the numbers that ``learned_rows_scene`` draws of that table, and two more for the caption.

    ``moved`` is how far row ``position`` has moved; ``error`` is the error for a position past the end, else
    None.
    """
    record, place = table_history(task), step // EVERY
    table = record.tables[place].detach()
    with torch.random.fork_rng(devices=[]):
        encoding = LearnedEncoding(D_MODEL, ROWS)
    encoding.table.data = table
    error, row, moved = None, np.full(D_MODEL, np.nan), np.nan
    try:
        row = encoding.encode(torch.tensor(position)).detach().double().numpy()
        moved = float(np.linalg.norm(row - record.tables[0, position].detach().double().numpy()))
    except BilingualIndexError as past_the_end:
        error = text_of(past_the_end)
    rows = table.double().numpy()
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(row)
    accuracy = record.accuracy[place].detach().double().numpy()
    if task == "copy":
        accuracy[:N_BACK] = np.nan
    return {
        "table": table.numpy(),
        "similarity": rows @ row / lengths,
        "accuracy": accuracy,
        "guessing": 1 / ANSWERS[task],
        "moved": moved,
        "error": error,
    }
