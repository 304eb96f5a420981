"""``torch.vmap``, which this torch lacks."""

from __future__ import annotations

from typing import Any


class _functorch:
    @staticmethod
    def is_functorch_wrapped_tensor(x: Any) -> bool:
        return False
