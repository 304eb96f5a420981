"""Four small language models that learned induction: which letter followed this one the last time.

Their text begins with a start token; after it come letters a to z, half of them drawn evenly and half copied
from the last ten. At each letter the answer is the letter after its latest earlier occurrence, or "nothing"
if the letter is new. In ``banana`` that is: nothing, nothing, nothing, n, a, n.

To answer, a head goes back to the letter after the same letter. A new letter has no such place, but softmax
must put its weight somewhere: on the start token, an attention sink.

========  ================================  =====================================================
name      positions                         loss in nats at 48 letters, seen through its window
========  ================================  =====================================================
rotary    RoPE, base 500,000, half-split    0.001
learned   a learned table of 64 rows        0.08
windowed  RoPE, trained with a window       0.34
sink      the same, and a learned sink      0.34
========  ================================  =====================================================

The last two have never seen more than ``WINDOW`` tokens at once: the start token soon leaves the window.
Their loss is higher because a letter last seen before the window looks like a new one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from posenc_lessons.encodings import RotaryEncoding
from posenc_lessons.experiments.tasks.copying import what_followed
from posenc_lessons.experiments.tasks.task import Task
from posenc_lessons.experiments.trained.store import TrainedModels, train_as_usual
from posenc_lessons.models import DecoderOnly, SinkAttention

if TYPE_CHECKING:
    from posenc_lessons.experiments.training import History

LETTERS = "abcdefghijklmnopqrstuvwxyz"
START, PAD = len(LETTERS), len(LETTERS) + 1  # tokens; no training text holds PAD
NOTHING = len(LETTERS)  # the answer for a new letter
N_LAYERS, N_HEADS, D_MODEL, D_FEED = 2, 1, 32, 64
BASE = 500_000.0  # of the rotary models, as in Llama 3
MAX_LEN = 64  # rows of the learned table
LENGTH = 48  # letters of a text in training; the start token stands before them
NEAREST, FARTHEST = 2, 10  # how far back a letter is copied from
SEED = 1  # with other seeds the rotary models may not find the pattern before the last step
SETTINGS = {"steps": 1500, "batch_size": 32, "length": LENGTH + 1, "learning_rate": 5e-3, "seed": SEED}
WINDOW = 16  # how many tokens a token sees, including itself, in the last two of these


def induction_task() -> Task:
    """Return the task these models are trained on; position 0, the start token, does not count."""
    return Task("find", PAD + 1, answers, _draw, n_answers=NOTHING + 1, shortest=2)


def _draw(shape: tuple[int, int], generator: torch.Generator | None) -> Tensor:
    tokens = torch.randint(len(LETTERS), shape, generator=generator)
    copied = torch.rand(shape, generator=generator) < 0.5
    back = torch.randint(NEAREST, FARTHEST + 1, shape, generator=generator)
    rows = torch.arange(shape[0])
    for place in range(NEAREST + 1, shape[1]):
        source = place - back[:, place]
        take = copied[:, place] & (source > 0)
        tokens[:, place] = torch.where(take, tokens[rows, source.clamp(min=0)], tokens[:, place])
    tokens[:, 0] = START
    return tokens


def answers(tokens: Tensor) -> tuple[Tensor, Tensor]:
    """Return the right answers to ``tokens`` [B, L] and which count (all but the start's), both [B, L]."""
    following, met_before = what_followed(PAD + 1).answer(tokens)
    return torch.where(met_before, following, NOTHING), tokens != START


def encode(text: str) -> Tensor:
    """Return the start token and the tokens of ``text``, letters a to z only: int64 [len(text) + 1]."""
    return torch.tensor([START, *(LETTERS.index(letter) for letter in text)])


def new_induction(name: str) -> DecoderOnly:
    """Return the model of that name before training, each time with the same weights."""
    rotary = RotaryEncoding(D_MODEL // N_HEADS, base=BASE, pairing="half_split")
    encoding = "learned" if name == "learned" else rotary
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(SEED)
        model = DecoderOnly(
            PAD + 1, D_MODEL, N_HEADS, N_LAYERS, encoding, MAX_LEN, d_feed=D_FEED, n_answers=NOTHING + 1
        )
        if name == "sink":
            layer: Any
            for layer in model.layers:
                layer.attention = SinkAttention(D_MODEL, N_HEADS, layer.attention.encoding)
    return model


class _ThroughWindow(nn.Module):
    """A model that sees ``WINDOW`` tokens at once."""

    def __init__(self, model: DecoderOnly) -> None:
        super().__init__()
        self.model = model

    def forward(self, tokens: Tensor) -> Tensor:
        logits: Tensor = self.model(tokens, mask=window_mask(tokens.shape[1], WINDOW))
        return logits


def window_mask(length: int, window: int, first: int = 0) -> Tensor:
    """Return a mask, bool [length, length]: a token sees the last ``window`` tokens and the ``first`` ones.

    The ``window`` includes the token itself. The mask does not hide later tokens; the model does.
    """
    places = torch.arange(length)
    return (places[:, None] - places < window) | (places < first)


def train_induction(model: DecoderOnly, name: str, **settings: Any) -> History:
    """Train ``model`` in place as the shipped one of that name was; ``settings`` override ``train``'s."""
    learner = _ThroughWindow(model) if name in ("windowed", "sink") else model
    return train_as_usual(learner, induction_task(), SETTINGS, **settings)


INDUCTION = TrainedModels(
    "induction_{}", ("rotary", "learned", "windowed", "sink"), new_induction, train_induction
)
trained_induction = INDUCTION.load


def in_sight(tokens: Tensor, reach: int) -> Tensor:
    """Return which letters of ``tokens`` [B, L] were seen in the ``reach`` − 1 tokens before: bool [B, L]."""
    places = torch.arange(tokens.shape[1])
    back = places[:, None] - places  # [L, L]
    same = tokens[:, :, None] == tokens[:, None, :]  # [B, L, L]
    return (same & (back > 0) & (back < reach)).any(dim=2)


@torch.no_grad()
def losses(model: DecoderOnly, tokens: Tensor, **options: Any) -> Tensor:
    """Return the loss in nats at every counted letter of ``tokens`` [B, L], [B, L]; NaN at the start token.

    ``options``: positions, mask and the like for ``model``.
    """
    right, counted = answers(tokens)
    by_letter = F.cross_entropy(model(tokens, **options).transpose(1, 2), right, reduction="none")
    return by_letter.masked_fill(~counted, float("nan"))


def fresh_texts(n_texts: int = 128, length: int = LENGTH) -> Tensor:
    """Return texts that were not trained on, always the same: int64 [n_texts, length + 1], start included."""
    return induction_task().batch(n_texts, length + 1, torch.Generator().manual_seed(2))[0]
