"""Small tasks, all made on the fly, that can only be solved by knowing where each token stands."""

from posenc_lessons.experiments.tasks.copying import copy_back, selective_copy, what_followed
from posenc_lessons.experiments.tasks.counting import count_since_reset
from posenc_lessons.experiments.tasks.dates import rewrite_date
from posenc_lessons.experiments.tasks.flip_flops import flip_flop
from posenc_lessons.experiments.tasks.looking_up import look_up
from posenc_lessons.experiments.tasks.pair import PairTask
from posenc_lessons.experiments.tasks.rearranging import reverse, sort
from posenc_lessons.experiments.tasks.task import Task

__all__ = [
    "PairTask",
    "Task",
    "copy_back",
    "count_since_reset",
    "flip_flop",
    "look_up",
    "reverse",
    "rewrite_date",
    "selective_copy",
    "sort",
    "what_followed",
]
