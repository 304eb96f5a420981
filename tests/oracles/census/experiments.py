"""Ask a configuration class about keys: set one, and see which settings change. No model is built."""

from __future__ import annotations

import ast
import copy
import inspect
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.oracles.census.small import LISTS

MARK = 12345.0  # a base that no class has as its default
_WORDS = re.compile(r"^[a-z_][a-z0-9_]*$")


class Asked:
    """A configuration class that is asked for its settings.

    base: keys that every question has in addition.
    """

    def __init__(self, kind: type, base: Mapping[str, Any]) -> None:
        self.kind, self.base = kind, dict(base)

    def __call__(self, **keys: Any) -> dict[str, Any] | None:
        """Return the settings for a file with these keys, or None if the class refuses it."""
        try:
            made = self.kind(**{**copy.deepcopy(self.base), **copy.deepcopy(keys)})
            return {**made.to_dict(), **{name: getattr(made, name) for name in LISTS if hasattr(made, name)}}
        except Exception:  # a class may raise any error; a refusal is an answer here
            return None


def words(kind: type) -> set[str]:
    """Return every quoted word, field and attribute in the code of ``kind`` and its parents."""
    found: set[str] = set()
    for each in kind.__mro__:
        if not each.__module__.startswith("transformers.models"):
            continue
        tree = ast.parse(inspect.getsource(each))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and _WORDS.match(node.value):
                found.add(node.value)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                found.add(node.target.id)
            elif isinstance(node, ast.Attribute):
                found.add(node.attr)
    return found


def _ropes(settings: Mapping[str, Any] | None) -> dict[str, Mapping[str, Any]]:
    """Return ``rope_parameters`` by layer type, or under "" if all layers have the same."""
    rope = (settings or {}).get("rope_parameters")
    if not isinstance(rope, Mapping) or not rope:
        return {}
    inner = {key: value for key, value in rope.items() if isinstance(value, Mapping)}
    return inner if inner else {"": rope}


def theta_keys(ask: Asked) -> dict[str, list[str]]:
    """Return the keys outside ``rope_parameters`` that set the base, by layer type."""
    found: dict[str, list[str]] = {}
    names = {"rope_theta"} | {
        each for each in words(ask.kind) if re.search(r"theta|base_freq|emb_base", each)
    }
    for name in sorted(names - {"default_theta"}, key=lambda each: (each != "rope_theta", each)):
        for layer_type, rope in _ropes(ask(**{name: MARK})).items():
            if rope.get("rope_theta") == MARK:
                found.setdefault(layer_type, []).append(name)
    return found


def base_with_scaling(ask: Asked) -> bool:
    """Return whether ``rope_theta`` is read only from a file that also stretches RoPE."""
    plain, with_it = (
        ask(rope_theta=MARK),
        ask(rope_theta=MARK, rope_scaling={"rope_type": "linear", "factor": 2.0}),
    )
    read = [_ropes(each).get("", {}).get("rope_theta") == MARK for each in (plain, with_it)]
    return read == [False, True]


def share_keys(ask: Asked) -> list[str]:
    """Return the keys outside ``rope_parameters`` that set the rotated share of a head."""
    names = {"partial_rotary_factor"} | {
        each
        for each in words(ask.kind)
        if re.search(r"rotary_pct|rotary_percent|partial|rope_pct|rotary_factor", each)
    }
    taken = []
    for name in sorted(names, key=lambda each: (each != "partial_rotary_factor", each)):
        if any(rope.get("partial_rotary_factor") == 0.75 for rope in _ropes(ask(**{name: 0.75})).values()):
            taken.append(name)
    return taken


def stretched_types(ask: Asked) -> list[str]:
    """Return the layer types that ``rope_scaling`` stretches: [""] without types, [] if it is not read."""
    made = ask(rope_scaling={"rope_type": "linear", "factor": 4.0})
    return [layer_type for layer_type, rope in _ropes(made).items() if rope.get("factor") == 4.0]


def default_ropes(ask: Asked) -> dict[str, Mapping[str, Any]]:
    """Return the class's own ``rope_parameters``, by layer type; a type with null has {}."""
    made = ask() or {}
    rope = made.get("rope_parameters")
    found = _ropes(made)
    if isinstance(rope, Mapping):
        found = {
            **found,
            **{key: {} for key, value in rope.items() if value is None and found and "" not in found},
        }
    return found


def layer_lists(ask: Asked, layers_key: str) -> dict[str, dict[int, list[Any]]]:
    """Return each list with one entry for each layer, for several numbers of layers."""
    found: dict[str, dict[int, list[Any]]] = {}
    for number in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 17, 24, 25, 31, 36, 48):
        made = ask(**{layers_key: number}) or {}
        for name in LISTS:
            value = made.get(name)
            if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == number:
                found.setdefault(name, {})[number] = list(value)
    return found


def rule(lists: Mapping[int, list[Any]]) -> dict[str, Any] | None:
    """Return the shortest rule for all of these lists: a cycle, with exceptions at the start and the end."""
    if len(lists) < 4:
        return None
    longest = lists[max(lists)]
    for size in range(1, 14):
        for start in range(0, 5):
            for end in (0, 1):
                for back in (False, True):
                    middle = longest[start : len(longest) - end]
                    cycle = (list(reversed(middle)) if back else middle)[:size]
                    got = {
                        "cycle": cycle,
                        "start": longest[:start],
                        "end": longest[len(longest) - end :] if end else [],
                    }
                    told = {
                        **{key: value for key, value in got.items() if value},
                        **({"back": True} if back else {}),
                    }
                    if all(
                        follow(told, number) == each for number, each in lists.items() if number > start + end
                    ):
                        return told
    return None


def follow(told: Mapping[str, Any], number: int) -> list[Any]:
    """Return the list of ``number`` layers by a rule of ``rule``."""
    start, end, cycle = told.get("start", []), told.get("end", []), told["cycle"]
    middle = [cycle[i % len(cycle)] for i in range(number - len(start) - len(end))]
    return [*start, *(reversed(middle) if told.get("back") else middle), *end]


def period_keys(ask: Asked, layers_key: str, name: str) -> tuple[list[str], bool]:
    """Return the keys that set the distance between layers of the rare kind in the list ``name``.

    Also return whether the first layer is of the rare kind.
    """
    pattern = re.compile(r"pattern|interval|every_n|period|global_attn")
    plain = (ask(**{layers_key: 12}) or {}).get(name)
    if not isinstance(plain, list) or (len(set(plain)) < 2 and name != "no_rope_layers"):
        return [], False
    taken: dict[bool, list[str]] = {False: [], True: []}
    for key in sorted(each for each in words(ask.kind) if pattern.search(each)):
        three, four = ((ask(**{layers_key: 12, key: each}) or {}).get(name) for each in (3, 4))
        if not (isinstance(three, list) and isinstance(four, list)) or three == four:
            continue
        for first, expected in ((False, [[2, 5, 8, 11], [3, 7, 11]]), (True, [[0, 3, 6, 9], [0, 4, 8]])):
            rare = four[0 if first else 3]
            if [[i for i, each in enumerate(listed) if each == rare] for listed in (three, four)] == expected:
                taken[first].append(key)
    return (taken[False], False) if taken[False] else (taken[True], bool(taken[True]))


def upper(ask: Asked, layers_key: str) -> bool:
    """Return whether use_sliding_window and max_window_layers set the layers with a window, as in Qwen 2."""
    keys = {"use_sliding_window": True, "sliding_window": 5, "max_window_layers": 3, layers_key: 6}
    listed = (ask(**keys) or {}).get("layer_types")
    return listed == ["full_attention"] * 3 + ["sliding_attention"] * 3
