"""Read a configuration: by measuring transformers' classes where they are installed, else from a table."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from posenc_lessons.configs.files import LIKE, about_positions, check_agreement, check_sizes, printable
from posenc_lessons.configs.layers import ModelPositions
from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.encodings.doors import PositionEncoding
from posenc_lessons.language import BilingualValueError

#: The oldest transformers whose classes are understood.
OLDEST = (5, 24)
#: Lengths of texts, which change no encoding that does not read them.
_LENGTH = re.compile(
    r"^(n_positions|n_ctx|max_position_embeddings|max_seq_len\w*|max_sequence_length|seq_length)$"
)


def encoding_from_config(
    config: Mapping[str, Any], layer: int = 0, like: str | None = None
) -> PositionEncoding:
    """Return the encoding of one layer of the model that ``config`` describes.

    >>> config = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
    ...           "num_hidden_layers": 2, "max_position_embeddings": 8192, "rope_theta": 500000.0}
    >>> encoding_from_config(config)
    RotaryEncoding(128, base=500000, pairing='half_split', rotary_dim=128)

    An encoding of door 1 (GPT-2, BERT) is the same for every layer and is added once, before the first. For
    DeepSeek V3 it covers only the rotary part of the head. In a file with encoder and decoder (T5), the
    decoder's layers are numbered after the encoder's.

    Args:
        config: a mapping as in a model's ``config.json``, with the text model in ``text_config`` or not.
        layer: which layer, from 0.
        like: the ``model_type`` whose code is like this model's, for a type that is not known.

    Returns:
        A new encoding; a plain ``PositionEncoding()`` if the layer knows no positions.

    Raises:
        ValueError: as for ``read_config``; a layer that the model does not have, or whose encoding this
            library lacks; a key about positions that the model's code does not read.
    """
    model = read_config(config, like)
    if keys := [key for key in model.unread if _matters(model, key, _value(config, key))]:
        names = ", ".join(map(printable, keys))
        raise BilingualValueError(
            f"不认识的键：{names}。{model.name} 的代码不读它，这里也不猜它的意思",
            f"unknown keys: {names}. The code of {model.name} does not read them, and nothing is guessed"
            " here",
        )
    layer, count = whole_number("layer", layer, 0), len(model.layers)
    if layer >= count:
        raise BilingualValueError(
            f"这个模型有 {count} 层，layer 是 0 到 {count - 1}，收到 {layer}",
            f"the model has {count} layers, so layer is 0 to {count - 1}; got {layer}",
        )
    return model.layers[layer].encoding()


def _matters(model: ModelPositions, key: str, value: Any) -> bool:
    """Return whether an unread key says something about positions that the model does not do."""
    name = key.rpartition(".")[2]
    if name == "rotary_dim":
        parts = [part for layer in model.layers for part in layer.parts]
        return any(part.settings.get("rotary_dim", value) != value for part in parts)
    says_nothing = value is False or value in (None, "absolute") or _LENGTH.search(name)
    return not says_nothing and (about_positions(name) or "rope_" in key)


def _value(config: Any, key: str) -> Any:
    for name in key.split("."):
        config = config.get(name) if isinstance(config, Mapping) else None
    return config


def read_config(config: Mapping[str, Any], like: str | None = None) -> ModelPositions:
    """Return what the model of ``config``, a mapping as in a ``config.json``, does with positions.

    With transformers installed a small model of the type is built and measured, and every encoding is
    compared with it; else a table of well-known types is read.

    Raises:
        ValueError: a type that is not known, values that are no JSON or too large, keys that contradict each
            other, or a file that transformers' class refuses.
    """
    check_sizes(config)
    name = config.get("model_type") if like is None else like
    if not isinstance(name, str) or not name:
        raise BilingualValueError(
            "文件里没有 model_type，代码怎样放位置就不知道。" + LIKE.zh,
            "there is no model_type, so how the code places positions is not known. " + LIKE.en,
        )
    keys = dict(config)
    if like is not None:
        inner = config.get("text_config")
        keys = {**(inner if isinstance(inner, Mapping) else config), "model_type": like}
    for where in ("", "text_config."):
        level = keys.get("text_config") if where else keys
        if isinstance(level, Mapping):
            check_agreement(level, where)
    title = printable(str(config.get("model_type") or like))
    return _read(json.dumps(keys), title, measurable())


def measurable() -> bool:
    """Return whether a transformers is installed whose classes can be measured."""
    if find_spec("transformers") is None:
        return False
    from importlib.metadata import version  # a page without a kernel does not have it

    return tuple(int(number) for number in version("transformers").split(".")[:2]) >= OLDEST


@lru_cache(maxsize=64)
def _read(text: str, title: str, measured: bool) -> ModelPositions:
    keys = json.loads(text)
    if measured:
        from posenc_lessons.configs.measured import read_measured

        return read_measured(keys, title)
    from posenc_lessons.configs.table import read_table

    return read_table(keys, title)
