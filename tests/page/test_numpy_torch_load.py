"""The page reads PyTorch's weights exactly; a file that contains anything else is refused."""

from __future__ import annotations

import io
import os
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from posenc_lessons.browser.numpy_torch import torch as numpy_torch
from posenc_lessons.experiments.trained.store import FOLDER


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.pt")), ids=lambda path: path.stem)
def test_shipped_weights_are_read_to_the_last_bit(path: Path) -> None:
    assert_same(
        torch.load(path, weights_only=True), numpy_torch.load(path, map_location="cpu", weights_only=True)
    )


def test_views_of_a_storage_are_read_as_they_were(tmp_path: Path) -> None:
    whole = torch.arange(24, dtype=torch.float64).reshape(4, 6)
    stored = {
        "whole": whole,
        "turned": whole.T,
        "part": whole[1:, 2:5:2],
        "none": whole[:0],
        "one": whole[1, 1],
    }
    stored |= {"bools": whole > 3, "ints": whole.long(), "halves": whole.half()}
    torch.save(stored, tmp_path / "views.pt")
    assert_same(stored, numpy_torch.load(tmp_path / "views.pt"))


def assert_same(expected: dict[str, Any], found: dict[str, Any]) -> None:
    assert list(expected) == list(found)
    for name, tensor in expected.items():
        assert tensor.numpy().dtype == found[name].numpy().dtype
        np.testing.assert_array_equal(tensor.numpy(), found[name].numpy())


class Harm:
    def __init__(self, *call: Any) -> None:
        self.call = call

    def __reduce__(self) -> Any:
        return self.call


HARMFUL = {
    "a command": Harm(os.system, ("true",)),
    "an attribute": Harm(getattr, ("", "format")),
    "another class": io.BytesIO(b""),
}


@pytest.mark.parametrize("what", HARMFUL)
def test_a_pickle_of_other_objects_is_refused(what: str, tmp_path: Path) -> None:
    path = tmp_path / "harm.pt"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("harm/data.pkl", pickle.dumps({"weight": HARMFUL[what]}))
    with pytest.raises(pickle.UnpicklingError, match="not allowed"):
        numpy_torch.load(path)


def test_a_tensor_that_reaches_beyond_its_storage_is_refused(tmp_path: Path) -> None:
    torch.save({"weight": torch.zeros(4)}, tmp_path / "whole.pt")
    with zipfile.ZipFile(tmp_path / "whole.pt") as whole, zipfile.ZipFile(tmp_path / "cut.pt", "w") as cut:
        for name in whole.namelist():
            content = whole.read(name)
            cut.writestr(name, content[:8] if name.endswith("data/0") else content)
    with pytest.raises(pickle.UnpicklingError, match="beyond its storage"):
        numpy_torch.load(tmp_path / "cut.pt")
