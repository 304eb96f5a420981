"""Read a configuration by building and measuring a small model of its type with transformers."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import torch
import transformers
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from posenc_lessons.configs.files import MOST_HEAD_WIDTH, MOST_LAYERS, printable
from posenc_lessons.configs.layers import Layer, ModelPositions
from posenc_lessons.configs.measuring import Network, measure, ropes_of
from posenc_lessons.configs.naming import layers_of
from posenc_lessons.configs.rope import RENAMED
from posenc_lessons.configs.small import TooLarge, attribute, full_config, small_config, text_of
from posenc_lessons.configs.unknown import unknown_type
from posenc_lessons.configs.unread import inner_name, recorded, unread_keys
from posenc_lessons.language import BilingualValueError, Text

_OWN_CODE = Text(
    "文件里有 auto_map：那是别人的代码，这里从不运行；量的是 transformers 自己的类",
    "the file has auto_map, which names other people's code: it is never run here, and transformers' own"
    " class was measured",
)


def read_measured(keys: Mapping[str, Any], shown: str) -> ModelPositions:
    """Return what transformers' class for ``keys`` does in every layer.

    Raises:
        ValueError: a type that this transformers does not know; a file that its class refuses, or of which
            no small model could be built and run.
    """
    if keys["model_type"] not in CONFIG_MAPPING:
        version = f"transformers {transformers.__version__}"
        raise unknown_type(keys, CONFIG_MAPPING.keys(), Text(version, version))
    verbosity, threads = transformers.logging.get_verbosity(), torch.get_num_threads()
    torch.set_num_threads(1)  # the matrices are small, and threads would wait for each other
    transformers.logging.set_verbosity_error()
    try:
        # A reader's own random numbers go on as if nothing had been built.
        with warnings.catch_warnings(), torch.random.fork_rng(devices=[]):
            warnings.simplefilter("ignore")
            return _read(keys, shown)
    finally:
        transformers.logging.set_verbosity(verbosity)
        torch.set_num_threads(threads)


def _read(keys: Mapping[str, Any], shown: str) -> ModelPositions:
    text = _text(keys)
    _check(text)
    try:
        small = small_config(text)
        with recorded() as asked:
            network = measure(small)
        layers = layers_of(network)
    except BilingualValueError:
        raise
    except Exception as error:  # a class may raise anything for values that fit nothing
        raise _refused(keys, error, built=True) from error
    if not layers:
        raise _refused(keys, ValueError("no list of layers was seen"), built=True)
    unread, idle = unread_keys(keys, lambda file: text_of(full_config(file)), text, asked)
    for key in _without_effect(network, keys, layers):
        declared = key.rpartition(".")[2] in type(text).__dataclass_fields__
        if key not in unread + idle:
            (idle if declared else unread).append(key)
    remarks = [_OWN_CODE] if "auto_map" in keys else []
    if idle:
        names = ", ".join(map(printable, idle))
        remarks.append(
            Text(f"在这份文件里不改变什么的键：{names}", f"keys that change nothing in this file: {names}")
        )
    return ModelPositions(
        shown,
        tuple(layers),
        transformers.__version__,
        False,
        tuple(unread),
        (*remarks, *_disagreements(text)),
    )


def _text(keys: Mapping[str, Any]) -> Any:
    """Return transformers' configuration of the text model in a file."""
    try:
        return text_of(full_config(keys))
    except BilingualValueError:
        raise
    except Exception as error:  # a class may raise anything for values that fit nothing
        raise _refused(keys, error) from error


def _refused(keys: Mapping[str, Any], error: Exception, built: bool = False) -> BilingualValueError:
    name, why = printable(str(keys["model_type"])), printable(" ".join(str(error).split())[:300])
    why = f"{type(error).__name__}: {why}"
    if built:
        return BilingualValueError(
            f"按这份文件造不出、或者跑不动 {name} 的小模型，所以什么也没有量到：{why}",
            f"no small model of {name} could be built and run from this file, so nothing was measured: {why}",
        )
    return BilingualValueError(
        f"transformers {transformers.__version__} 里 {name} 的类不接受这份文件：{why}",
        f"the class of {name} in transformers {transformers.__version__} refuses this file: {why}",
    )


def _check(text: Any) -> None:
    """Refuse what a small model cannot have: too many layers, and heads that no width fits."""
    layers = attribute(text, "num_hidden_layers") or attribute(
        attribute(text, "decoder"), "num_hidden_layers"
    )
    if not isinstance(layers, int) or not 1 <= layers <= MOST_LAYERS:
        raise BilingualValueError(
            f"num_hidden_layers 必须是 1 到 {MOST_LAYERS} 的整数，收到 {layers!r}",
            f"num_hidden_layers must be a whole number from 1 to {MOST_LAYERS}; got {layers!r}",
        )
    for rope in ropes_of(text):
        for key in ("rope_theta", "partial_rotary_factor", "factor"):
            value = rope.get(key)
            if value is not None and (
                isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0
            ):
                raise BilingualValueError(
                    f"{key} 必须是大于 0 的数，收到 {value!r}",
                    f"{key} must be a number above 0; got {value!r}",
                )
        if (base := rope.get("rope_theta")) is not None and base <= 1:
            raise BilingualValueError(
                f"rope_theta 必须大于 1，收到 {base}", f"rope_theta must be above 1; got {base}"
            )
    width, heads, head = (
        attribute(text, name) for name in ("hidden_size", "num_attention_heads", "head_dim")
    )
    if not isinstance(head, int) and isinstance(width, int) and isinstance(heads, int) and heads > 0:
        head = width // heads
    if isinstance(head, int) and head > MOST_HEAD_WIDTH:
        raise TooLarge(
            f"head_dim 最多是 {MOST_HEAD_WIDTH}，收到 {head}",
            f"head_dim must be at most {MOST_HEAD_WIDTH}; got {head}",
        )


def _without_effect(network: Network, keys: Mapping[str, Any], layers: list[Layer]) -> list[str]:
    """Return window keys of the file that gave no layer a window, and a share that no rotation has."""
    inner = inner_name(keys, network.small.full)
    level = keys if inner is None else keys[inner]
    windows = {layer.window for layer in layers if layer.window is not None}
    none: list[str] = []
    for name, size in network.small.windows.values():
        effect = any(window in (size, size // 2, size + 1, size - 1) for window in windows)
        if not effect and level.get(name) is not None:
            none.append(name if inner is None else f"{inner}.{name}")
    share = level.get("partial_rotary_factor")
    widths = {measured.head for measured in network.layers if measured.head}
    turned = {rotation.features for layer in layers for rotation in layer.rotations if not rotation.start}
    fits = any(abs(int(width * share) - n) <= 1 for width in widths for n in turned) if share else True
    if turned and not fits:
        none.append("partial_rotary_factor" if inner is None else f"{inner}.partial_rotary_factor")
    return none


def _disagreements(text: Any) -> list[Text]:
    """Return remarks on lengths that do not agree with the factor of an extension."""
    remarks = []
    longest = getattr(text, "max_position_embeddings", None)
    for rope in ropes_of(text):
        original, factor = rope.get("original_max_position_embeddings"), rope.get("factor")
        kind = RENAMED.get(str(rope.get("rope_type")), rope.get("rope_type"))
        if kind not in ("yarn", "longrope") or not (original and factor and longest):
            continue
        if (ratio := longest / original) not in (factor, 1.0):
            remarks.append(
                Text(
                    f"factor 是 {factor:g}，而 {longest} / {original} = {ratio:g}：代码以 factor 为准",
                    f"factor is {factor:g} while {longest} / {original} = {ratio:g}: the code goes by factor",
                )
            )
    return list(dict.fromkeys(remarks))
