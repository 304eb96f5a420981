"""Read a configuration by building and measuring a small model of its type with transformers."""

import warnings
from collections.abc import Mapping
from typing import Any

import torch
import transformers
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from posenc_lessons.configs.files import MOST_HEAD_WIDTH, printable, unknown_type
from posenc_lessons.configs.layers import ModelPositions
from posenc_lessons.configs.naming import layers_of
from posenc_lessons.configs.network import Network, ropes_of
from posenc_lessons.configs.rope import RENAMED, check_numbers
from posenc_lessons.configs.small import TooLarge, attribute, full_config, small_config, text_of
from posenc_lessons.configs.unread import recorded, unread_keys
from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.language import BilingualValueError, Text

_OWN_CODE = Text(
    "文件里有 auto_map：那是别人的代码，这里从不运行；量的是 transformers 自己的类",
    "the file has auto_map, which names other people's code: it is never run here, and transformers' own"
    " class was measured",
)


def read_measured(keys: Mapping[str, Any], title: str) -> ModelPositions:
    """Return what transformers' class for ``keys`` does in every layer.

    Raises:
        ValueError: a type that this transformers does not know; a file that its class refuses, or of which
            no small model could be built and run.
    """
    if keys["model_type"] not in CONFIG_MAPPING:
        version = f"transformers {transformers.__version__}"
        raise unknown_type(keys, CONFIG_MAPPING.keys(), Text(version, version), False)
    verbosity, threads = transformers.logging.get_verbosity(), torch.get_num_threads()
    torch.set_num_threads(1)  # the matrices are small, and threads would wait for each other
    transformers.logging.set_verbosity_error()
    try:
        # A reader's own random numbers go on as if nothing had been built.
        with warnings.catch_warnings(), torch.random.fork_rng(devices=[]):
            warnings.simplefilter("ignore")
            return _read(keys, title)
    finally:
        transformers.logging.set_verbosity(verbosity)
        torch.set_num_threads(threads)


def _read(keys: Mapping[str, Any], title: str) -> ModelPositions:
    name, version = printable(str(keys["model_type"])), transformers.__version__
    refused = Text(
        f"transformers {version} 里 {name} 的类不接受这份文件",
        f"the class of {name} in transformers {version} refuses this file",
    )
    try:
        text = text_of(full_config(keys))
        _check(text)
        refused = Text(
            f"按这份文件造不出、或者跑不动 {name} 的小模型，所以什么也没有量到",
            f"no small model of {name} could be built and run from this file, so nothing was measured",
        )
        small = small_config(text)
        with recorded() as names:
            network = Network(small)
        layers = layers_of(network)
        if not layers:
            raise ValueError("no list of layers was seen")
    except BilingualValueError:
        raise
    except Exception as error:  # a class may raise anything for values that fit nothing
        why = f"{type(error).__name__}: {printable(' '.join(str(error).split())[:300])}"
        raise BilingualValueError(f"{refused.zh}：{why}", f"{refused.en}: {why}") from error
    unread, idle = unread_keys(keys, text, names, network, layers)
    remarks = [_OWN_CODE] if "auto_map" in keys else []
    if idle:
        zh, en = "在这份文件里不改变什么的键", "keys that change nothing in this file"
        idle_keys = ", ".join(map(printable, idle))
        remarks.append(Text(f"{zh}：{idle_keys}", f"{en}: {idle_keys}"))
    remarks += _disagreements(text)
    return ModelPositions(title, tuple(layers), version, False, tuple(unread), tuple(remarks))


def _check(text: Any) -> None:
    """Refuse what a small model cannot have: no number of layers, and heads that no width fits."""
    inner = attribute(attribute(text, "decoder"), "num_hidden_layers")
    whole_number("num_hidden_layers", attribute(text, "num_hidden_layers") or inner, 1)
    for rope in ropes_of(text):
        check_numbers(rope)
    width, heads, head = (
        attribute(text, name) for name in ("hidden_size", "num_attention_heads", "head_dim")
    )
    if not isinstance(head, int) and isinstance(width, int) and isinstance(heads, int) and heads > 0:
        head = width // heads
    if isinstance(head, int) and head > MOST_HEAD_WIDTH:
        limit = MOST_HEAD_WIDTH
        raise TooLarge(
            f"head_dim 最多是 {limit}，收到 {head}", f"head_dim must be at most {limit}; got {head}"
        )


def _disagreements(text: Any) -> list[Text]:
    """Return remarks on lengths that do not agree with the factor of an extension."""
    remarks = []
    longest = getattr(text, "max_position_embeddings", None)
    for rope in ropes_of(text):
        original, factor = rope.get("original_max_position_embeddings"), rope.get("factor")
        kind = RENAMED.get(str(rope.get("rope_type")), rope.get("rope_type"))
        if kind in ("yarn", "longrope") and original and factor and longest:
            ratio = longest / original
            quotient = f"{longest} / {original} = {ratio:g}"
            zh = f"factor 是 {factor:g}，而 {quotient}：代码以 factor 为准"
            if ratio not in (factor, 1.0):
                remarks.append(Text(zh, f"factor is {factor:g} while {quotient}: the code goes by factor"))
    return list(dict.fromkeys(remarks))
