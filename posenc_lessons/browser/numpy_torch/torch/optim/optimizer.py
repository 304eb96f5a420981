"""The base class of optimisers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .._tape import written


class Optimizer:
    """Groups of parameters, each with its own rate and settings, and a state for each parameter."""

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        argument = list(params)
        if not argument:
            raise ValueError("optimizer got an empty parameter list")
        groups = argument if isinstance(argument[0], dict) else [{"params": argument}]
        self.defaults = defaults
        self.param_groups = [{**defaults, **item, "params": list(item["params"])} for item in groups]
        self.state: dict[Any, dict[str, Any]] = {}

    def zero_grad(self) -> None:
        for group in self.param_groups:
            for item in group["params"]:
                item.grad = None

    def step(self) -> None:
        for group in self.param_groups:
            for item in group["params"]:
                if item.grad is not None:
                    self._change(item.array, item.grad.array, group, self.state.setdefault(item, {}))
                    written(item.array)

    def _change(
        self, array: np.ndarray, grad: np.ndarray, group: dict[str, Any], kept: dict[str, Any]
    ) -> None:
        raise NotImplementedError
