"""Eight small Transformers, one for each encoding, that rewrite dates and reverse letters.

They are ``Seq2Seq`` models, encoder and decoder, as a lesson builds them, so there are three kinds of
attention to look at. Attention from the decoder to the encoder has no position encoding (``DecoderLayer``
says why). CoPE is made for causal attention: in the encoder it counts only keys up to the query. All later
keys have p = 0, so it cannot tell their distances apart.

The models differ only in the encoding: sizes, seed, batches and learning rate are the same for all. The table
gives the percentage of 1000 sources that each rewrites without a mistake:

==========  =====  ==============  ==========  ==========  ==========
encoding    dates  3–10 letters    11 letters  12 letters  14 letters
==========  =====  ==============  ==========  ==========  ==========
none           20               4           0           0           0
sinusoidal    100             100           9           0           0
learned       100             100           0           0           0
shaw          100             100           0           0           0
t5            100              99          56          57          19
alibi         100              28           2           1           0
rotary        100             100          36           0           0
cope          100              95          77          64          29
==========  =====  ==============  ==========  ==========  ==========

Training had at most 10 letters. ALiBi's penalty is the same to the left and to the right, so in an encoder it
shows the distance of a key but not its direction. That is enough for dates, whose parts look different, but
not for reversing. Each model has one seed, so the last three columns describe these weights only and do not
rank the encodings.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

import torch

from posenc_lessons.experiments.tasks.dates import rewrite_date
from posenc_lessons.experiments.tasks.pair import PairTask
from posenc_lessons.experiments.tasks.rearranging import reverse
from posenc_lessons.experiments.trained.store import TrainedModels, train_as_usual
from posenc_lessons.models import Seq2Seq
from posenc_lessons.models.registry import COURSE_ENCODINGS

if TYPE_CHECKING:
    from posenc_lessons.experiments.training import History

N_LAYERS, N_HEADS, D_MODEL, D_FEED = 2, 4, 32, 32
LETTERS = "abcdefghij"
LONGEST = 18  # characters of a source; no date is longer
FEWEST_LETTERS, MOST_LETTERS = 3, 10  # to reverse, in training
MOST_WRITTEN = LONGEST + 2  # tokens of an answer, its end included; the learned table ends here
SETTINGS = {"steps": 3000, "batch_size": 48, "length": LONGEST, "learning_rate": 5e-3}

_LETTERS_ALONE = re.compile(f"[{LETTERS}]+")


def rewriting_task() -> PairTask:
    """Return the task: ``7 March 2024`` or ``2024年3月7日`` → ``2024-03-07``; ``badge`` → ``egdab``.

    Half of a batch are dates, half are 3 to 10 letters from a to j.
    """
    dates, letters = rewrite_date(), reverse(LETTERS, FEWEST_LETTERS)

    def draw(shape: tuple[int, int], generator: torch.Generator | None) -> list[str]:
        batch_size, length = shape
        half = batch_size // 2
        pairs = dates.draw((batch_size - half, length), generator)
        return pairs + (letters.draw((half, MOST_LETTERS), generator) if half else [])

    def solve(text: str) -> str:
        return letters.solve(text) if _LETTERS_ALONE.fullmatch(text) else dates.solve(text)

    def tidy(text: str) -> str:
        compact = unicodedata.normalize("NFKC", text).strip()
        return compact if _LETTERS_ALONE.fullmatch(compact) else dates.tidy(text)

    return PairTask(
        "rewrite",
        source_symbols="".join(dict.fromkeys(dates.source_symbols + LETTERS)),
        target_symbols=dates.target_symbols + LETTERS,
        draw=draw,
        solve=solve,
        shortest=dates.shortest,
        tidy=tidy,
    )


def new_rewriter(encoding: str) -> Seq2Seq:
    """Return the untrained model for that encoding, each time with the same weights."""
    task = rewriting_task()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return Seq2Seq(
            task.source_vocab,
            task.target_vocab,
            D_MODEL,
            N_HEADS,
            N_LAYERS,
            encoding,
            max_len=MOST_WRITTEN,
            d_feed=D_FEED,
        )


def train_rewriter(model: Seq2Seq, **settings: Any) -> History:
    """Train ``model`` in place as the shipped ones were; ``settings`` override those of ``train``."""
    return train_as_usual(model, rewriting_task(), SETTINGS, **settings)


REWRITERS = TrainedModels(
    "rewriter_{}", COURSE_ENCODINGS, new_rewriter, lambda model, _: train_rewriter(model)
)
trained_rewriter = REWRITERS.load
