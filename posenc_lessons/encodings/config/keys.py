"""Read a configuration's keys strictly: name keys that are missing, contradict each other or are unknown."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from posenc_lessons.encodings.arguments import number, whole_number
from posenc_lessons.language import BilingualValueError

MOST_LAYERS = 10_000
MOST_FEATURES = 1_000_000  # of a head or an embedding
MOST = 10**12  # of any other whole number

# The names of keys about positions. Such a key is an error if it is not read; other keys, hundreds, are not.
_ABOUT_POSITIONS = re.compile(
    r"rope|rotary|position|alibi|relative|theta|partial|yarn|ntk|mscale|sliding|window|layer_types"
    r"|per_layer_config|global_head_dim|chunk_size$|attn_temperature|floor_scale|attn_scale$|^attn_factor"
)


def about_positions(key: str) -> bool:
    """Return whether a key's name says that it is about positions."""
    return _ABOUT_POSITIONS.search(key) is not None


class Keys:
    """A mapping as in a ``config.json`` that remembers which keys were read. A null counts as no value.

    Args:
        given: the mapping.
        where: the prefix of its keys in messages, such as ``"rope_scaling."``.
        missing: values for keys that are not in the mapping. (A key with null is in it.)
    """

    def __init__(self, given: Any, where: str = "", missing: Mapping[str, Any] | None = None) -> None:
        if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
            name = where.rstrip(".") or "config"
            raise BilingualValueError(
                f"{name} 必须是键为文字的映射（JSON 的对象），收到 {type(given).__name__}",
                f"{name} must be a mapping with text for keys, a JSON object; got {type(given).__name__}",
            )
        self.where, self.missing = where, missing or {}
        self._given = {key: value for key, value in given.items() if value is not None}
        self._null = set(given) - set(self._given)
        self._read: set[str] = set()

    def said(self, *names: str) -> Any:
        """Return the value of the key with these ``names``, old and new; else that in ``missing``, or None.

        Raises:
            ValueError: two of the names are there, with different values.
        """
        self._read.update(names)
        there = [name for name in names if name in self._given]
        for other in there[1:]:
            same_or_refuse(
                self.where + there[0], self._given[there[0]], self.where + other, self._given[other]
            )
        if there:
            return self._given[there[0]]
        return None if self._null.intersection(names) else self.missing.get(names[0])

    def in_file(self, name: str) -> Any:
        """Return the value of the key ``name``, or None; never that in ``missing``."""
        self._read.add(name)
        return self._given.get(name)

    def whole(self, *names: str, least: int = 1, most: int = MOST) -> int:
        """Return the value of ``said`` as a whole number from ``least`` to ``most``, or raise ValueError."""
        return whole_up_to(self._name(*names), self._there(*names), least, most)

    def layers(self, *names: str) -> int:
        """Return the value of ``said`` as a number of layers; ValueError for more than ``MOST_LAYERS``."""
        return self.whole(*names, most=MOST_LAYERS)

    def number(self, *names: str, **bounds: float) -> float:
        """Return the value of ``said`` as a finite number within ``bounds`` (see ``arguments.number``)."""
        return number(self._name(*names), self._there(*names), **bounds)

    def some_number(self, *names: str, **bounds: float) -> float | None:
        """Return ``number``, or None if there is no value."""
        return None if self.said(*names) is None else self.number(*names, **bounds)

    def flag(self, name: str, otherwise: bool) -> bool:
        """Return the value of ``said`` as a bool; older files have 0 and 1."""
        value = self.said(name)
        if value is not None and not isinstance(value, int):  # a bool is one
            raise BilingualValueError(
                f"{self.where}{name} 必须是 true 或 false，收到 {value!r}",
                f"{self.where}{name} must be true or false; got {value!r}",
            )
        return otherwise if value is None else bool(value)

    def per_layer(self, name: str, layers: int, allowed: Collection[Any]) -> list[Any] | None:
        """Return the list ``name``, one of ``allowed`` for each layer; None if there is no list."""
        values = self.said(name)
        if values is None:
            return None
        if not isinstance(values, list) or len(values) != layers or any(v not in allowed for v in values):
            choice = ", ".join(map(str, allowed))
            came = f"{len(values)}: {values!r}" if isinstance(values, list) else repr(values)
            raise BilingualValueError(
                f"{self.where}{name} 必须是 {layers} 项的列表，每层一项，每项是 {choice} 之一，收到 {came}",
                f"{self.where}{name} must be a list of {layers}, one for each layer, of {choice}; got {came}",
            )
        return values

    def by_number(self, layers: int) -> dict[int, Mapping[str, Any]]:
        """Return the mappings under "0", "1", … ("00", "01", … in saved files), by layer number."""
        found = {}
        for name, value in self._given.items():
            if name.isdecimal() and int(name) < layers:
                found[int(name)] = self.said(name)
                Keys(value, f"{self.where}{name}.")  # refuses anything but a mapping
        return found

    def said_to_be_false(self) -> list[str]:
        """Return unread keys about positions with the value false, which contradict nothing."""
        return [key for key in self._unread_about_positions() if self._given[key] is False]

    def _unread_about_positions(self) -> list[str]:
        unread = [key for key in self._given if key not in self._read and about_positions(key)]
        # BERT's files say "absolute", and so do those of models that took over its configuration.
        return [key for key in unread if (key, self._given[key]) != ("position_embedding_type", "absolute")]

    def refuse_unread(self, what: str, only_about_positions: bool = False) -> None:
        """Raise ValueError if there are keys that were not read; ``what`` names the code that ignores them.

        ``only_about_positions`` leaves out keys that are about something else or have the value false.
        """
        rest = [key for key in self._given if key not in self._read]
        if only_about_positions:
            rest = [key for key in self._unread_about_positions() if self._given[key] is not False]
        if rest:
            names = ", ".join(self.where + printable(key) for key in rest)
            known = ", ".join(sorted(self._read))
            raise BilingualValueError(
                f"不认识的键：{names}。{what} 的代码不读它，这里也不猜它的意思。认识的有：{known}",
                f"unknown keys: {names}. The code of {what} does not read them, and nothing is guessed here;"
                f" known are {known}",
            )

    def _name(self, *names: str) -> str:
        return self.where + next((name for name in names if name in self._given), names[0])

    def _there(self, *names: str) -> Any:
        value = self.said(*names)
        if value is None:
            either = "/".join(self.where + name for name in names)
            raise BilingualValueError(f"缺少键 {either}", f"there is no key {either}")
        return value


def whole_up_to(name: str, value: Any, least: int = 1, most: int = MOST) -> int:
    """Return ``value`` as an int of ``least`` to ``most``; ValueError otherwise."""
    found = whole_number(name, value, least)
    if found > most:
        raise BilingualValueError(
            f"{name} 最多是 {most}，收到 {found}", f"{name} must be at most {most}; got {found}"
        )
    return found


def printable(text: str) -> str:
    """Return ``text`` with control characters as escapes, so that a terminal does not obey them."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def same_or_refuse(name: str, value: Any, other_name: str, other: Any) -> None:
    """Raise ValueError unless the two values are equal; the two names mean the same."""
    if value != other:
        raise BilingualValueError(
            f"{name} 是 {value!r}，{other_name} 却是 {other!r}，而两者说的是同一件事：请留下对的那个",
            f"{name} is {value!r} but {other_name} is {other!r}, and both mean the same thing: keep the"
            f" right one",
        )
