"""The base class of optimisers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .._tape import written
from .._types import lacking


class Optimizer:
    """Groups of parameters, each with its own rate and settings, and a state for each parameter."""

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        given = list(params)
        if not given:
            raise ValueError("optimizer got an empty parameter list")
        groups = given if isinstance(given[0], dict) else [{"params": given}]
        self.defaults = defaults
        self.param_groups = [{**defaults, **each, "params": list(each["params"])} for each in groups]
        self.state: dict[Any, dict[str, Any]] = {}

    def zero_grad(self, set_to_none: bool = True) -> None:
        for group in self.param_groups:
            for each in group["params"]:
                if set_to_none:
                    each.grad = None
                elif each.grad is not None:
                    each.grad.zero_()

    def step(self, closure: Any = None) -> None:
        if closure is not None:
            raise NotImplementedError(lacking("optimizer.step(closure)"))
        for group in self.param_groups:
            for each in group["params"]:
                if each.grad is not None:
                    self._change(each.array, each.grad.array, group, self.state.setdefault(each, {}))
                    written(each.array)

    def _change(
        self, array: np.ndarray, grad: np.ndarray, group: dict[str, Any], kept: dict[str, Any]
    ) -> None:
        raise NotImplementedError
