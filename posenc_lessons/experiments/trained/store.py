"""Make, save and load the trained models that come with the package.

Each model has one small file with its parameters in half precision.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
import torch
from torch import nn

from posenc_lessons.files import write_atomically
from posenc_lessons.language import BilingualValueError

if TYPE_CHECKING:
    from posenc_lessons.experiments.training import History

FOLDER = Path(__file__).parent / "weights"

Model = TypeVar("Model", bound=nn.Module)


@dataclass(frozen=True)
class TrainedModels(Generic[Model]):
    """Trained models of one kind, by name.

    Args:
        file: the name of their files, with ``{}`` for the model's name.
        names: the names of all models of this kind.
        new: returns the model of a name before training, each time with the same weights.
        train: trains such a model in place as the shipped one was.
    """

    file: str
    names: tuple[str, ...]
    new: Callable[[str], Model]
    train: Callable[[Model, str], object]

    def load(self, name: str) -> Model:
        """Return the trained model of that name, on the CPU. It is shared: do not train it further.

        Raises:
            ValueError: there is no such model, or its file cannot be read.
        """
        return _loaded(self, name)

    def make(self, name: str, folder: Path = FOLDER) -> Path:
        """Train the model of that name, and save it in ``folder``, by default where ``load`` finds it."""
        model = self.new(name)
        self.train(model, name)
        _loaded.cache_clear()
        return save(model, self.file.format(name), folder)


@cache
def _loaded(models: TrainedModels[Model], name: str) -> Model:
    return load_into(models.new(name), models.file.format(name))


def train_as_usual(model: nn.Module, task: Any, usual: dict[str, Any], **settings: Any) -> History:
    """Call ``train`` with the ``usual`` settings; ``settings`` override them."""
    from posenc_lessons.experiments.training import train  # only training needs it

    return train(model, task, **{**usual, **settings})


def save(model: nn.Module, name: str, folder: Path = FOLDER) -> Path:
    """Write the parameters of ``model`` to ``folder/name.npz`` as float16, and return the path.

    Buffers are not written: a new model computes them. A file of that name is replaced in one step, so that
    an interrupted save leaves the old file whole.

    Raises:
        ValueError: a weight that is not finite, or too large for float16 (above 65504).
        OSError: the folder cannot be written to.
    """
    content: dict[str, Any] = {}
    for parameter, weight in model.named_parameters():
        half = weight.detach().to("cpu", torch.float16)
        if not half.isfinite().all():
            raise BilingualValueError(
                f"{name} 的 {parameter} 里有 float16 装不下的数：请用更温和的设置重新训练",
                f"{parameter} of {name} holds numbers that float16 cannot: train again, more gently",
            )
        content[parameter] = half.numpy()
    file = io.BytesIO()
    np.savez(file, **content)
    path = folder / f"{name}.npz"
    write_atomically(path, file.getvalue())
    return path


def load_into(model: Model, name: str, folder: Path = FOLDER) -> Model:
    """Load the weights saved as ``name`` into ``model``, in its dtype and on its device, in eval mode.

    Raises:
        ValueError: there is no such file, it cannot be read, or its model has other parameters.
    """
    path = folder / f"{name}.npz"
    weights = dict(model.named_parameters())
    try:
        with np.load(io.BytesIO(path.read_bytes())) as archive:
            saved = {parameter: torch.tensor(archive[parameter]) for parameter in archive}
    except Exception as error:  # NumPy raises several kinds for a damaged file
        command, kind = "python -m posenc_lessons.experiments.trained", type(error).__name__
        raise BilingualValueError(
            f"读不了训练好的权重 {path.name}（{kind}），请重新生成：{command}",
            f"the trained weights {path.name} cannot be read ({kind}); make them with: {command}",
        ) from error
    shapes = {parameter: weight.shape for parameter, weight in weights.items()}
    if {parameter: weight.shape for parameter, weight in saved.items()} != shapes:
        raise BilingualValueError(f"{path.name} 属于另一个模型", f"{path.name} belongs to another model")
    with torch.no_grad():
        for parameter, weight in weights.items():
            weight.copy_(saved[parameter])
    return model.eval()
