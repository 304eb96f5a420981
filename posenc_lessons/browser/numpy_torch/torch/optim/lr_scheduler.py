"""Learning rates that change from step to step."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any


class LRScheduler:
    """Set the rate of each group: first when the scheduler is made, then at each ``step``."""

    def __init__(self, optimizer: Any) -> None:
        self.optimizer, self.last_epoch = optimizer, -1
        self.base_lrs = [group.setdefault("initial_lr", group["lr"]) for group in optimizer.param_groups]
        self.step()

    def get_lr(self) -> list[float]:
        raise NotImplementedError

    def get_last_lr(self) -> list[float]:
        return [group["lr"] for group in self.optimizer.param_groups]

    def step(self) -> None:
        self.last_epoch += 1
        for group, rate in zip(self.optimizer.param_groups, self.get_lr(), strict=True):
            group["lr"] = rate


class LambdaLR(LRScheduler):
    """The first rate times ``lr_lambda(step)``."""

    def __init__(self, optimizer: Any, lr_lambda: Callable[[int], float]) -> None:
        self.lr_lambda = lr_lambda
        super().__init__(optimizer)

    def get_lr(self) -> list[float]:
        return [base * self.lr_lambda(self.last_epoch) for base in self.base_lrs]


class OneCycleLR(LRScheduler):
    """The rate rises to ``max_lr`` and falls again, along cosines; the momentum does the opposite."""

    def __init__(self, optimizer: Any, max_lr: float, total_steps: int, pct_start: float = 0.3) -> None:
        self.total_steps = total_steps
        first = max_lr / 25
        self._rates = (first, max_lr, first / 1e4)
        self._momenta = (0.95, 0.85, 0.95)
        self._ends = (pct_start * total_steps - 1, total_steps - 1)
        for group in optimizer.param_groups:
            group["initial_lr"] = first
        super().__init__(optimizer)

    def _between(self, values: tuple[float, float, float]) -> float:
        at, (top, last) = self.last_epoch, self._ends
        if at <= top:
            start, end, share = values[0], values[1], at / top
        else:
            start, end, share = values[1], values[2], (at - top) / (last - top)
        return end + (start - end) / 2 * (1 + math.cos(math.pi * share))

    def get_lr(self) -> list[float]:
        if self.last_epoch > self.total_steps:
            raise ValueError(
                f"Tried to step {self.last_epoch} times. "
                f"The specified number of total steps is {self.total_steps}"
            )
        for group in self.optimizer.param_groups:
            group["betas"] = (self._between(self._momenta), group["betas"][1])
        return [self._between(self._rates)] * len(self.base_lrs)
