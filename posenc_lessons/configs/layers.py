"""What is known of a model's positions: its layers, what each reads, and the encoding that does the same."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from posenc_lessons.encodings.doors import PositionEncoding
from posenc_lessons.encodings.together import Together
from posenc_lessons.language import BilingualValueError, Text

Reads = Literal["distance", "place", "none"]
Sees = Literal["whole", "sliding", "both_sides", "chunked", "other"]


class Rotation(NamedTuple):
    """A rotation of queries and keys.

    of: what it belongs to, "attention" or "indexer". features: how many features of a head turn, and start:
    the first of them. inverse_frequencies: radians per position of each pair, fastest first; a pair with 0
    stands still. base: None if they are no powers of one number. scale: of rotated queries and keys.
    """

    of: str
    pairing: str
    features: int
    base: float | None
    inverse_frequencies: tuple[float, ...]
    start: int = 0
    clockwise: bool = False
    scale: float = 1.0


class Part(NamedTuple):
    """A class of ``posenc_lessons.encodings`` and its arguments."""

    makes: type[PositionEncoding]
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Layer:
    """The positions in one layer.

    Attributes:
        attends: whether tokens attend to tokens; a layer of another kind gets order from a recurrence, a
            convolution or not at all.
        sees, window: "whole" is all of the text (all before, in a decoder); "sliding", the last ``window``
            tokens; "both_sides", ``window`` on each side; "chunked", the chunk of ``window`` that it is in;
            "other", none of these, or what the content chooses.
        reads: whether scores depend on distances, on places in the text, or on neither.
        rotations: of its queries and keys, and of an indexer's.
        bias: what is added to scores: "ALiBi", "T5", "by distance", "by content"; None for nothing.
        temperature: the factor of queries at some positions; None if it is 1 at all of them.
        sink: whether a learned number takes part in the softmax.
        keys_of: the earlier layer whose keys it attends to; None if they are its own. passes: how often the
            layer runs in one pass through the model, each time with the same positions.
        parts: the encodings that do the same, one after another; () for none.
        lacks: why no encoding of this library does the same; None if there is one.
        remarks: what else is unusual. reason: why the layer could not be measured; None if it was.
    """

    attends: bool = True
    sees: Sees = "whole"
    window: int | None = None
    reads: Reads = "none"
    rotations: tuple[Rotation, ...] = ()
    bias: str | None = None
    temperature: Mapping[str, Any] | None = None
    sink: bool = False
    keys_of: int | None = None
    passes: int = 1
    parts: tuple[Part, ...] = ()
    lacks: Text | None = None
    remarks: tuple[Text, ...] = ()
    reason: Text | None = None

    @property
    def makes(self) -> type[PositionEncoding]:
        """The class of the main encoding; ``PositionEncoding`` itself if the layer knows no positions."""
        return self.parts[0].makes if self.parts else PositionEncoding

    @property
    def settings(self) -> Mapping[str, Any]:
        """The arguments of the main encoding."""
        return self.parts[0].settings if self.parts else {}

    def encoding(self) -> PositionEncoding:
        """Return a new encoding that does the same; ValueError if the library has none."""
        if (why := self.reason or self.lacks) is not None:
            raise BilingualValueError(
                f"这里没有这种编码，所以造不出来：{why.zh}",
                f"there is no encoding of this kind here, so none is made: {why.en}",
            )
        modules = [part.makes(**part.settings) for part in self.parts]
        if not modules:
            return PositionEncoding()
        return modules[0] if len(modules) == 1 else Together(*modules)

    def as_json(self, index: int) -> dict[str, Any]:
        """Return the layer as one object of ``posenc-lessons config --json``."""
        names = ("attends", "window", "sees", "reads", "bias", "temperature", "sink", "keys_of", "passes")
        of_rotations = ("of", "pairing", "features", "base", "inverse_frequencies")
        rotations = [{key: getattr(rotation, key) for key in of_rotations} for rotation in self.rotations]
        return {"index": index, **{name: getattr(self, name) for name in names}, "rotations": rotations}


@dataclass(frozen=True)
class ModelPositions:
    """A configuration as it was read: its layers, those of an encoder before its decoder's.

    ``measured_with`` is the version of transformers whose classes were measured, or of which the table was
    made if ``from_table``. ``unread`` are keys of the file that change nothing.
    """

    name: str
    layers: tuple[Layer, ...]
    measured_with: str
    from_table: bool = False
    unread: tuple[str, ...] = ()
    remarks: tuple[Text, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``posenc-lessons config --json`` prints."""
        version = f"transformers {self.measured_with}"
        return {
            "model_type": self.name,
            "measured_with": version + (" (table)" if self.from_table else ""),
            "layers": [layer.as_json(index) for index, layer in enumerate(self.layers)],
            "unread_keys": list(self.unread),
            "not_measured": [
                {"index": index, "reason": layer.reason.en}
                for index, layer in enumerate(self.layers)
                if layer.reason is not None
            ],
        }
