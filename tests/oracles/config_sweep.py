"""Change every key that speaks of layers and compare: ``python -m tests.oracles.config_sweep``.

For each type of text model, each key about the order of layers (a period, an offset, a pattern, …) that its
class declares or takes gets other values. The class then says which layers attend, which have a window and
what their bases are; the measurement must agree. The results are in ``config_sweep.json``: "same", "refused"
by the class, or what differs. It goes on where it was; types that are named are done again.
"""

import dataclasses
import inspect
import json
import re
import sys
from pathlib import Path
from typing import Any

import transformers
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from posenc_lessons.configs.measured import read_measured
from posenc_lessons.configs.small import attribute, full_config, text_of
from posenc_lessons.language import BilingualValueError
from tests.oracles.config_census import EXAMPLES, model_types

RESULTS = Path(__file__).with_name("config_sweep.json")
LAYERS = 6
_ORDER = re.compile(
    r"period|offset|interval|every_n|window_pattern|max_window_layers|global_attn|first_k_dense"
)
_WITHOUT = re.compile("linear|conv|mamba|moe|mlp|recurrent|dense|sparse$")


def keys_of(config: Any) -> list[str]:
    """Return the keys about the order of layers that a class declares or takes from what it is given."""
    declared = {field.name for field in dataclasses.fields(type(config))}
    taken = set(re.findall(r"kwargs\.(?:get|pop)\(\s*[\"'](\w+)", inspect.getsource(type(config))))
    return sorted(name for name in declared | taken if _ORDER.search(name))


def compared(name: str, key: str, value: Any) -> str:
    """Return "same", "refused" or what differs, with ``key`` set to ``value``."""
    file = {"model_type": name, **EXAMPLES.get(name, {}), "num_hidden_layers": LAYERS, key: value}
    try:
        config = text_of(full_config(file))
    except Exception:  # a class may raise anything; a refusal is an answer here
        return "refused"
    try:
        layers = read_measured(file, name).layers
    except BilingualValueError as error:
        return "refused" if "refuses" in error.en else f"not measured: {error.en[:120]}"
    types = attribute(config, "layer_types")
    if not types or len(types) != len(layers):
        return "same"  # the class says nothing of its layers
    for number, (kind, layer) in enumerate(zip(types, layers, strict=True)):
        if layer.reason is None and layer.attends == bool(_WITHOUT.search(kind)):
            return f"layer {number} is {kind}, but attends: {layer.attends}"
        if "sliding" in kind and attribute(config, "sliding_window") and layer.window is None:
            return f"layer {number} is {kind}, but has no window"
        rope = (attribute(config, "rope_parameters") or {}).get(kind)
        for rotation in layer.rotations:
            if isinstance(rope, dict) and rotation.of == "attention" and rotation.base != rope["rope_theta"]:
                return f"layer {number}: base {rotation.base}, not {rope['rope_theta']}"
    return "same"


def main(wanted: list[str]) -> None:
    """Compare the named types, or all that have no result, and print how many results there are of each."""
    results: dict[str, dict[str, str]] = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    for name in wanted or model_types():
        kept = results.get(name)
        config = None
        try:
            config = text_of(full_config({"model_type": name, **EXAMPLES.get(name, {})}))
        except Exception:  # this class needs keys
            continue
        if (config.model_type != name and config.model_type in CONFIG_MAPPING) or (
            kept is not None and not wanted
        ):
            continue
        results[name] = {
            f"{key}={value}": compared(name, key, value) for key in keys_of(config) for value in (2, 3)
        }
        if results[name]:
            print(name, results[name], flush=True)
        RESULTS.write_text(json.dumps(results, indent=0, sort_keys=True) + "\n", "utf-8")
    answers = [answer for by_key in results.values() for answer in by_key.values()]
    print(
        {kind: sum(kind == answer for answer in answers) for kind in ("same", "refused")}, "of", len(answers)
    )


if __name__ == "__main__":
    transformers.logging.set_verbosity_error()
    main(sys.argv[1:])
