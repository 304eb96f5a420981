"""A model to compare numbers with."""

from __future__ import annotations

from typing import Any

from torch import nn


def ready(model: Any) -> Any:
    """In float64, at rest, every parameter random: CoPE's table starts at zero and would say nothing."""
    for parameter in model.parameters():
        if not parameter.any():
            nn.init.normal_(parameter)
    return model.double().eval()
