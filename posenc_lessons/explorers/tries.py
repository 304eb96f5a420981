"""What a reader could try in an explorer: settings with a name, and one sentence on what to look for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from posenc_lessons.language import Text, current


@dataclass(frozen=True)
class Try:
    """``values`` are the controls, by name, that are not where the explorer starts.

    A text to type may be a ``Text``: the reader then meets a sentence in their own language.
    """

    name: Text
    values: Mapping[str, Any]
    look_for: Text

    def settings(self) -> dict[str, Any]:
        """``values`` as the controls take them, texts in the reader's language; Chinese for both."""
        language = "zh" if current() == "both" else current()
        return {
            name: value.show(language) if isinstance(value, Text) else value
            for name, value in self.values.items()
        }
