"""Compare two runs of ``sweep.py``."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

NEAR = 2e-5  # relative to the largest number of a layer, or to the number itself
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def differences(expected: list[dict[str, Any]], found: list[dict[str, Any]]) -> list[str]:
    """Return, in words, where two sweeps of one explorer differ.

    Everything must be equal except numbers, which must be ``NEAR``, colours of heatmaps and the last digits
    of numbers in sentences, which may be off by one: sums depend on the order of adding.
    """
    if len(expected) != len(found):
        return [f"{len(expected)} settings, and {len(found)}"]
    return [
        f"{setting['calls']}: {item}"
        for setting, other in zip(expected, found, strict=True)
        for item in _different("", setting, other)
    ]


def _tips(expected: str, found: str) -> bool:
    """Return whether two texts are equal except for last digits that are off by one."""
    if NUMBER.sub("#", expected) != NUMBER.sub("#", found):
        return False
    pairs = zip(NUMBER.findall(expected), NUMBER.findall(found), strict=True)
    return all(
        abs(float(a.replace(",", "")) - float(b.replace(",", ""))) < 1.5 * 10.0 ** -len(a.partition(".")[2])
        for a, b in pairs
        if a != b
    )


def _different(path: str, expected: Any, found: Any) -> Iterator[str]:
    if isinstance(expected, dict) and isinstance(found, dict) and expected.keys() == found.keys():
        if expected.keys() >= {"shape", "bytes"}:
            yield from _different_layers(path, expected, found)
        else:
            expected, found = _to_scale(expected), _to_scale(found)
            for key in expected:
                yield from _different(f"{path}/{key}", expected[key], found[key])
    elif isinstance(expected, (list, tuple)) and isinstance(found, type(expected)):
        if len(expected) != len(found):
            yield f"{path}: {_brief(expected)} ≠ {_brief(found)}"
        else:
            for at, pair in enumerate(zip(expected, found, strict=True)):
                yield from _different(f"{path}/{at}", *pair)
    elif isinstance(expected, float) and isinstance(found, float):
        if not abs(expected - found) <= NEAR * max(1.0, abs(expected)):
            yield f"{path}: {expected} ≠ {found}"
    elif expected != found and not (path in ("/view/reading", "/view/alt") and _tips(expected, found)):
        yield f"{path}: {_brief(expected)} ≠ {_brief(found)}"


def _to_scale(told: dict[str, Any]) -> dict[str, Any]:
    """Return an axis's ticks as shares of its length: a colour bar counts 255 cells, not its values."""
    if not told.keys() >= {"start", "end", "ticks"}:
        return told
    span = max(1.0, abs(told["end"] - told["start"]))
    return {**told, "ticks": [[value / span, label] for value, label in told["ticks"]]}


def _different_layers(path: str, expected: dict[str, Any], found: dict[str, Any]) -> Iterator[str]:
    if expected["shape"] != found["shape"] or expected.get("texts") != found.get("texts"):
        yield f"{path}: {_brief(expected)} ≠ {_brief(found)}"
        return
    first, second = numbers(expected), numbers(found)
    if first.dtype == np.uint8:
        apart = np.abs(first.astype(int) - second.astype(int))
        wrong = (apart > 1) | ((first == 0) != (second == 0))  # 0 means an empty cell
        if wrong.any():
            yield f"{path}: {wrong.sum()} cells more than one colour off, first {np.argwhere(wrong)[0]}"
        return
    both = np.isfinite(first) & np.isfinite(second)
    largest = max(1.0, float(np.abs(first[both]).max(initial=0)))
    apart = np.abs(first[both] - second[both]).max(initial=0) / largest
    if not np.array_equal(first[~both], second[~both], equal_nan=True) or apart > NEAR:
        yield f"{path}: numbers are {apart:.1e} of the largest apart, or not all there"


def numbers(layer: dict[str, Any]) -> np.ndarray:
    """Return the numbers of one layer in the form that the painter takes."""
    count = int(np.prod(layer["shape"]))
    kind = np.uint8 if len(layer["bytes"]) == count else np.float32
    return np.frombuffer(layer["bytes"], kind).reshape(layer["shape"])


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 160 else f"{text[:160]}…"
