"""Optimisers, which change parameters by their gradients."""

import math
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
        self, array: np.ndarray, grad: np.ndarray, group: dict[str, Any], state: dict[str, Any]
    ) -> None:
        raise NotImplementedError


class Adam(Optimizer):
    """Gradient descent by running means of the gradient and of its square."""

    decoupled = False  # whether weight decay shrinks the parameter itself instead of changing its gradient

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
    ) -> None:
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    def _change(
        self, array: np.ndarray, grad: np.ndarray, group: dict[str, Any], state: dict[str, Any]
    ) -> None:
        rate, decay, (beta1, beta2) = group["lr"], group["weight_decay"], group["betas"]
        if decay and self.decoupled:
            array *= array.dtype.type(1 - rate * decay)
        elif decay:
            grad = grad + decay * array
        if not state:
            state.update(step=0, exp_avg=np.zeros_like(array), exp_avg_sq=np.zeros_like(array))
        state["step"] += 1
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        mean += (grad - mean) * (1 - beta1)
        square *= beta2
        square += (1 - beta2) * grad * grad
        root = np.sqrt(square) / math.sqrt(1 - beta2 ** state["step"]) + group["eps"]
        array -= rate / (1 - beta1 ** state["step"]) * mean / root


class AdamW(Adam):
    """Adam in which weight decay shrinks the parameters themselves."""

    decoupled = True

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay)
