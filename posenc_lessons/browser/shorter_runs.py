"""Shorter runs of cells that train for minutes in a page: their changes, and whether they teach the same.

The recorded output and **Train it here** have the lesson's settings. If fewer steps or seeds lead to the
lesson's conclusion, the page offers them too. ``python -m tests.page.shorter_runs`` makes every run below
with PyTorch, checks ``holds``, and writes the results beside this file. A run whose conclusion does not hold
is not offered; its numbers are kept.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from posenc_lessons.browser.training import training_paces
from posenc_lessons.language import Text

RECORDED = Path(__file__).with_name("shorter_runs.json")
LONG = 120  # seconds in a page; a cell that trains for longer has an entry here


@dataclass(frozen=True)
class ShorterRun:
    """A shorter run of one cell.

    Attributes:
        lesson: its notebook, without the suffix.
        cell: id of the cell.
        changes: (piece of its code, replacement); each piece occurs once in the cell.
        concludes: the lesson's conclusion from the cell.
        holds: the conclusion as Python. It may use names of the lesson, and ``shares``: the numbers printed
            after ≈ by the cell and then by those of ``after``, in order.
        differs: a note for readers about the differences. None if no shorter run was found that leads to the
            conclusion; ``changes`` are then the best that was tried.
        after: cells below that are run before ``holds`` is checked.
    """

    lesson: str
    cell: str
    changes: tuple[tuple[str, str], ...]
    concludes: str
    holds: str
    differs: Text | None
    after: tuple[str, ...] = ()

    def shortened(self, source: str) -> str | None:
        """Return the cell's code with the changes; None if it lacks a piece that they replace."""
        for before, after in self.changes:
            if source.count(before) != 1:
                return None
            source = source.replace(before, after)
        return source


def steps(published: int, fewer: int) -> tuple[tuple[str, str], ...]:
    """Return the ``changes`` that replace the ``published`` steps by ``fewer``."""
    return ((f"steps={published}", f"steps={fewer}"),)


SAME = Text(
    "结论和课文一样，数字略有不同。", "The conclusion is the one in the text; the numbers differ a little."
)

SHORTER = (
    ShorterRun(
        "03_learned",
        "bug-inside-trained",
        steps(400, 200),
        "The table made in forward is as good as counting tokens; the one made in __init__ learns.",
        "abs(shares[0] - by_counting(True)) < 0.02 and shares[1] > 0.95",
        SAME,
    ),
    ShorterRun(
        "04_relative",
        "sign-train",
        steps(200, 100),
        "With its sign Shaw names the neighbour; without it, it can only guess between two.",
        "min(shares[0], shares[2]) > 0.95 and max(shares[1], shares[3]) < 0.6",
        SAME,
    ),
    ShorterRun(
        "04_relative",
        "sign-causal-train",
        steps(200, 150),
        "Trained from scratch Shaw loses nothing, T5 has no positions left, and ALiBi is spoilt.",
        "min(shares[0], shares[2], shares[3]) > 0.9 and shares[6] > 0.5 "
        "and max(shares[at] for at in (1, 4, 5, 7, 8)) < 0.3",
        SAME,
    ),
    ShorterRun(
        "06_cope",
        "counter-train",
        steps(600, 300),
        "In rows whose query is a pass, one head's gates are shut at passes and open at the other two.",
        "right > 0.9 and mean_gate(best, 0, 0) < 0.1 "
        "and min(mean_gate(best, key, 0) for key in (1, 2)) > 0.8",
        Text(
            "准确率约 0.93，录好的是 0.98。查询是 · 的行里，门控照样在 · 处关、在 + 和 R 处开；"
            "其他的行、哪个头最分明，会和课文说的不同。",
            "The accuracy is about 0.93 where 0.98 was recorded. In rows whose query is ·, gates are shut at "
            "· and open at + and R all the same; other rows, and which head is clearest, differ from the "
            "text.",
        ),
        after=("counter-gates",),
    ),
    ShorterRun(
        "06_cope",
        "compare-train",
        (("(0, 1, 2)", "(0,)"),),
        "All three have learned it at the trained length; at three times that, Shaw leads, then CoPE, then "
        "RoPE.",
        "min(shares[0::2]) > 0.9 and shares[3] > shares[1] > shares[5]",
        Text(
            "每种编码只用一个种子，图上各一个点。先后和课文一样；"
            "不过 CoPE 和 Shaw 的单次结果会互相交错，要分高下，得看三个种子的平均。",
            "One seed for each encoding, and one dot in the picture. The order is the one in the text, but "
            "single runs of CoPE and Shaw overlap: the means of three seeds settle it.",
        ),
    ),
    ShorterRun(
        "06_cope",
        "table-short",
        (("for seed in seeds]", "for seed in seeds[:1]]"), *steps(600, 400)),
        "With 12 rows from the start CoPE is better than Shaw and RoPE at three times the length.",
        "shares[0] > 0.9 and shares[1] > max(run[1] for name in ('Shaw', 'RoPE') for run in results[name])",
        Text(
            "只用一个种子。结论和课文一样，准确率会低一些。",
            "One seed. The conclusion is the one in the text; the accuracy is a little lower.",
        ),
    ),
    ShorterRun(
        "06_cope",
        "before-first-reset",
        (("seeds[:2]", "seeds[:1]"), *steps(600, 400)),
        "Before the first R, CoPE is far behind Shaw and RoPE; where texts begin with R it is right nearly "
        "everywhere.",
        "shares[0] < min(shares[2], shares[4]) - 0.1 and min(shares[8:]) > 0.9",
        Text(
            "最后一行只来自一个种子。结论和课文一样，数字略有不同。",
            "The last line comes from one seed. The conclusion is the one in the text; the numbers differ a "
            "little.",
        ),
    ),
    ShorterRun(
        "06_cope",
        "bug-leak-trained",
        steps(500, 350),
        "The model that peeks gets most of it right; the other can only guess.",
        "shares[0] > 0.65 and shares[1] < 0.45",
        SAME,
    ),
    ShorterRun(
        "07_transformer",
        "train-code",
        steps(300, 150),
        "Sorting needs no positions; reversing without them gets half of it.",
        "0.4 < shares[0] < 0.55 and min(shares[1:]) > 0.95",
        SAME,
    ),
    ShorterRun(
        "07_transformer",
        "bug-unshifted-evidence",
        (("range(300)", "range(150)"),),
        "Both wrong ones have a loss below ln 2; one repeats itself, the other writes at random; the right "
        "one stays near ln 2 and writes legal steps.",
        "shares[0] < 0.1 and shares[1] < 0.5 and 0.6 < shares[2] < 0.85 and one_or_two",
        Text(
            "没有掩码的损失约 0.36，录好的是 0.09；结论和课文一样。",
            "Without a mask the loss is about 0.36 where 0.09 was recorded; the conclusion is the one in the "
            "text.",
        ),
    ),
    ShorterRun(
        "08_longer_than_trained",
        "live-race-run",
        (('("copy_back", "count_since_reset")', '("copy_back",)'),),
        "At 128 only Shaw is still entirely right; RoPE is right more often than not; the sinusoid is not.",
        "shares[1] > 0.95 and 0.5 < shares[3] < shares[1] and shares[0] < 0.3",
        Text(
            "只跑“抄 3 步之前”，不跑“清零后计数”。跑出来的和录好的一样，上面那个猜测也答得出来。",
            "Only “copy 3 back”, without “count since reset”. It gives what was recorded and answers your "
            "guess.",
        ),
        after=("live-race-claims",),
    ),
    ShorterRun(
        "08_longer_than_trained",
        "extending-train",
        (("seed=1)", "seed=1, sizes=Sizes(steps=150))"),),
        "The model has learned the task at 32, and YaRN takes it to 128 without tuning.",
        "lengthened(short, task, 'yarn', seed=1, sizes=Sizes(tune_steps=1)).before > 0.7",
        Text(
            "模型在长度 32 上也学会了；往下用它得到的结论和课文一样，数字略有不同。",
            "The model has learned length 32 as well. What is done with it below leads to the same "
            "conclusions, with slightly other numbers.",
        ),
    ),
    ShorterRun(
        "08_longer_than_trained",
        "extending-tune",
        (("seed=1)", "seed=1, sizes=Sizes(tune_steps=10))"),),
        "YaRN is far ahead before any tuning; the others are not, and catch up by tuning.",
        "shares[3] > 0.7 and max(shares[:3]) < 0.4 and outcomes['yarn'].after > 0.9 "
        "and all(each.after > each.before for each in outcomes.values())",
        Text(
            "微调之前的数字和录好的差不多，YaRN 遥遥领先；只微调 10 步，其他几条线还没走完。",
            "Before tuning the numbers are about those recorded, with YaRN far ahead. After 10 steps of "
            "tuning the other lines are still on their way.",
        ),
        after=("extending-picture",),
    ),
    ShorterRun(
        "08_longer_than_trained",
        "which-pairs",
        (("copy_back(12), seed=1)", "copy_back(12), seed=1, sizes=Sizes(steps=200))"),),
        "The pairs that it needs are 0 and 1.",
        "needed == [0, 1]",
        SAME,
    ),
    ShorterRun(
        "08_longer_than_trained",
        "bug-untuned-evidence",
        (("tune_steps=150", "tune_steps=100"),),
        "With more steps of tuning, interpolation comes back.",
        "shares[0] < 0.4 and shares[1] > 0.85",
        Text(
            "100 步已经看得出插值会追上来，只是还没到录好的 0.94。",
            "100 steps show already that interpolation comes back, if not quite to the 0.94 recorded.",
        ),
    ),
    ShorterRun(
        "10_not_every_layer",
        "hybrid-train",
        steps(400, 200),
        "At four times the length the hybrid is far ahead of both others; at the trained length it is not.",
        "shares[0] > 0.9 and shares[6] < shares[0] and shares[8] > max(shares[2], shares[5]) + 0.2",
        Text(
            "没有位置的那个在长度 32 上还没学好（约 0.5，录好的是 0.93）；结论和课文一样。",
            "The one without positions has not learned length 32 yet (about 0.5 where 0.93 was recorded); "
            "the conclusion is the one in the text.",
        ),
    ),
    ShorterRun(
        "10_not_every_layer",
        "hybrid-control",
        steps(400, 200),
        "On what_followed the windows alone are no worse than the hybrid; on look_up they fall below 0.6.",
        "shares[2] > 0.7 and shares[5] < 0.6",
        SAME,
    ),
    ShorterRun(
        "11_more_coordinates",
        "finer-train",
        steps(500, 300),
        "Counted on it breaks down; squeezed it loses little.",
        "shares[-3] > 0.85 and shares[-1] > shares[-3] - 0.15 and shares[-2] < 0.5",
        SAME,
        after=("finer-tried",),
    ),
)


@cache
def recorded() -> dict[str, dict[str, Any]]:
    """Return the results of the command: {cell: {"source", "steps", "holds", "shares"}}."""
    found: dict[str, dict[str, Any]] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return found


def offered(cell: str, source: str) -> dict[str, Any] | None:
    """Return the shorter run of the cell with this code for the page's script; None without one.

    It is {changes, steps, seconds, differs}, where ``differs`` is a Text. For ``seconds``, a step takes as
    long as in the whole training.
    """
    run = next((each for each in SHORTER if each.cell == cell and each.differs is not None), None)
    if run is None or run.shortened(source) is None:
        return None
    fewer, whole = recorded()[cell]["steps"], training_paces()[cell]
    return {
        "changes": run.changes,
        "steps": fewer,
        "seconds": math.ceil(whole["seconds"] * fewer / whole["steps"]),
        "differs": run.differs,
    }
