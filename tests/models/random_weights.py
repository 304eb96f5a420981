"""Models to compare numbers with."""

from typing import Any

from torch import nn


def with_random_weights(model: Any, std: float | None = None) -> Any:
    """Make every parameter random, in float64 and eval mode: CoPE's table of zeros would do nothing.

    With ``std`` all parameters are drawn again, norms and biases too; without it, only those that are zero.
    """
    for parameter in model.parameters():
        if std is not None or not parameter.any():
            nn.init.normal_(parameter, std=std or 1.0)
    return model.double().eval()
