"""Train a small vision model on pictures of one size, and test it on finer ones.

The command ``python -m posenc_lessons.experiments.resolutions`` repeats it with several seeds for each
encoding and keeps the results with machine and date. Lesson 11 shows them beside the reader's own run.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from tqdm.auto import tqdm

from posenc_lessons.encodings import LearnedEncoding, grid_positions, interpolate_table
from posenc_lessons.experiments.machine import machine, threads
from posenc_lessons.experiments.pictures import DIRECTIONS, PATCH, as_patches, two_squares
from posenc_lessons.experiments.recordings import RECORDED, make_record, read_record
from posenc_lessons.models.stacks import TransformerEncoder

#: "none" is blind to position; "rotary" counts patches row by row; "learned" has a row for each patch.
ENCODINGS = ("none", "rotary", "learned", "grid_sinusoidal", "axial", "mixed")
SIZES = (8, 12, 16)  # patches along a side; models are trained on the first


@dataclass(frozen=True)
class Setting:
    """Sizes of the model and of its training."""

    side: int = 8
    d_model: int = 48
    n_heads: int = 4
    n_layers: int = 2
    steps: int = 500
    batch_size: int = 64
    learning_rate: float = 4e-3
    n_test: int = 1024


USUAL = Setting()


class VisionModel(nn.Module):
    """A classifier of pictures: a linear embedding of patches, encoder layers, the mean of patches, logits.

    >>> model = VisionModel("axial")
    >>> pictures, answers = two_squares(2, side=8, generator=torch.Generator().manual_seed(0))
    >>> model(pictures).shape
    torch.Size([2, 8])
    """

    def __init__(self, encoding: str, setting: Setting = USUAL) -> None:
        super().__init__()
        self.side, width = setting.side, setting.d_model
        self.embedding = nn.Linear(PATCH**2, width)
        sizes = width, setting.n_heads, setting.n_layers
        self.encoder = TransformerEncoder(*sizes, encoding, max_len=self.side**2)
        self.to_logits = nn.Linear(width, len(DIRECTIONS))

    def forward(self, pictures: Tensor, stretch: bool = False) -> Tensor:
        """Return logits [n, 8] for pictures [n, H · PATCH, W · PATCH].

        Positions are rows and columns, or patches counted row by row for an encoding that reads one number.
        With ``stretch`` the coordinates of a finer picture are scaled to the range of training.
        """
        height, width = (pixels // PATCH for pixels in pictures.shape[1:])
        positions: Tensor | None = None
        if self.encoder.axes > 1:
            positions = grid_positions(height, width)
            if stretch:  # positions are the patches' centres; the picture's edges fall on those of training
                sizes = torch.tensor([height, width])
                positions = (positions + 0.5) * (self.side / sizes) - 0.5
        x = self.encoder(self.embedding(as_patches(pictures)), positions)  # [n, H · W, d_model]
        return self.to_logits(x.mean(dim=1))

    def for_side(self, side: int) -> VisionModel:
        """Return a model for pictures of ``side`` × ``side`` patches: this one, with its table stretched."""
        table = self.encoder.encoding
        if not isinstance(table, LearnedEncoding) or side == self.side:
            return self
        model, sizes = copy.deepcopy(self), ((self.side, self.side), (side, side))
        stretched = LearnedEncoding(table.d_model, side**2, table.std)
        stretched.table.data = interpolate_table(table.table.detach(), *sizes)
        model.encoder.encoding = stretched
        return model


def trained(
    encoding: str,
    seed: int = 0,
    setting: Setting = USUAL,
    *,
    progress: bool = True,
) -> VisionModel:
    """Return a model trained on pictures of ``setting.side``.

    Every picture is new. The learning rate climbs during the first tenth of the steps, then falls to zero
    along a cosine.
    """
    pictures_of = torch.Generator().manual_seed(seed)
    with torch.random.fork_rng(devices=[]), threads(1):
        torch.manual_seed(seed)
        model = VisionModel(encoding, setting)
        optimizer = torch.optim.Adam(model.parameters(), lr=setting.learning_rate)
        for step in tqdm(range(setting.steps), desc=encoding, disable=not progress):
            pictures, answers = two_squares(setting.batch_size, setting.side, pictures_of)
            loss = F.cross_entropy(model(pictures), answers)
            optimizer.zero_grad()
            loss.backward()
            share, momentum = one_cycle(step, setting.steps)
            for group in optimizer.param_groups:
                group.update(lr=share * setting.learning_rate, betas=(momentum, 0.999))
            optimizer.step()
    return model.eval()


def one_cycle(step: int, steps: int) -> tuple[float, float]:
    """Return the share of the learning rate, and Adam's first beta, as PyTorch's ``OneCycleLR`` sets them.

    Each goes from one number to another along a cosine, and back during the other nine tenths of the steps.
    """
    top = 0.1 * (steps + 1) - 1
    along = step / top if step <= top else (steps - step) / (steps - top)  # 0 to 1, and back to 0
    height = (1 - math.cos(math.pi * along)) / 2
    low = 1 / 25 if step <= top else 1 / 250_000
    return low + (1 - low) * height, 0.95 - 0.1 * height


@torch.no_grad()
def accuracy_at(model: VisionModel, side: int, n: int = 1024, *, stretch: bool = False) -> float:
    """Return the share of right answers on ``n`` pictures of ``side`` × ``side`` patches, always the same.

    A learned table is always stretched; ``stretch`` is about coordinates, see ``VisionModel.forward``.
    """
    model, pictures_of, right = model.for_side(side), torch.Generator().manual_seed(10**6 + side), 0
    for done in range(0, n, 256):
        pictures, answers = two_squares(min(256, n - done), side, pictures_of)
        right += int((model(pictures, stretch).argmax(dim=-1) == answers).sum())
    return right / n


@dataclass(frozen=True)
class Outcome:
    """Shares of right answers of one model: ``continued[i]`` and ``stretched[i]`` at ``SIZES[i]``.

    For ``continued``, rows and columns are counted beyond those of training; for ``stretched``, they are
    scaled to the range of training. A learned table is stretched in both.
    """

    continued: tuple[float, ...]
    stretched: tuple[float, ...]


def outcome(encoding: str, seed: int, setting: Setting = USUAL, *, progress: bool = True) -> Outcome:
    """Train one model, and measure it at all ``SIZES``."""
    model = trained(encoding, seed, setting, progress=progress)
    continued = tuple(accuracy_at(model, side, setting.n_test) for side in SIZES)
    stretched = continued
    if model.encoder.axes > 1:
        stretched = tuple(accuracy_at(model, side, setting.n_test, stretch=True) for side in SIZES)
    return Outcome(continued, stretched)


@dataclass(frozen=True)
class Record:
    """Outcomes {encoding: one for each seed}, with the date and the machine."""

    date: str
    machine: Mapping[str, str]
    seeds: tuple[int, ...]
    setting: Setting
    outcomes: Mapping[str, list[Outcome]]


def compared(seeds: Sequence[int], setting: Setting = USUAL) -> Record:
    """Train with each of ``ENCODINGS`` at each seed."""
    outcomes = {encoding: [outcome(encoding, seed, setting) for seed in seeds] for encoding in ENCODINGS}
    return Record(date.today().isoformat(), machine(), tuple(seeds), setting, outcomes)


def recorded() -> Record:
    """Return the outcomes that come with the course."""
    return read_record(RECORDED / "resolutions.json", Record)


if __name__ == "__main__":
    make_record("resolutions.json", __doc__, compared)
