"""Rewrite dates: from three ways to write one to the standard way."""

import datetime
import re
import unicodedata

import torch

from posenc_lessons.experiments.tasks.pair import PairTask
from posenc_lessons.language import BilingualValueError

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
FORMS = ("{day} {name} {year}", "{name} {day}, {year}", "{year}年{month}月{day}日")
FIRST, LAST = datetime.date(1900, 1, 1), datetime.date(2099, 12, 31)
LONGEST = len("September 30, 2024")

_NAME = "|".join(MONTHS)
_PATTERNS = (
    re.compile(rf"(?P<day>\d\d?) (?P<name>{_NAME}) (?P<year>\d{{4}})"),
    re.compile(rf"(?P<name>{_NAME}) (?P<day>\d\d?), (?P<year>\d{{4}})"),
    re.compile(r"(?P<year>\d{4})年(?P<month>\d\d?)月(?P<day>\d\d?)日"),
)


def rewrite_date() -> PairTask:
    """Ask to rewrite ``7 March 2024``, ``March 7, 2024`` or ``2024年3月7日`` as ``2024-03-07``.

    All days from 1900 to 2099 are equally likely, and so are the ways to write them. Sources are padded to
    the requested length, which must be at least 18 (``September 30, 2024``).
    """
    letters = "".join(sorted({letter for name in MONTHS for letter in name}))
    return PairTask(
        "rewrite_date",
        source_symbols=f"0123456789 ,年月日{letters}",
        target_symbols="0123456789-",
        draw=_draw,
        solve=standard_date,
        shortest=LONGEST,
        tidy=tidy_date,
    )


def tidy_date(text: str) -> str:
    """Tidy ``text`` as the task draws it: one space between words, capitals as in ``March``, ASCII digits."""
    return " ".join(unicodedata.normalize("NFKC", text).title().split())


def standard_date(text: str) -> str:
    """Return the date in ``text`` as YYYY-MM-DD; ValueError if it does not have one of the three forms."""
    tidied = tidy_date(text)
    for pattern in _PATTERNS:
        match = pattern.fullmatch(tidied)
        if match:
            parts = match.groupdict()
            month = int(parts["month"]) if "month" in parts else MONTHS.index(parts["name"]) + 1
            try:
                return datetime.date(int(parts["year"]), month, int(parts["day"])).isoformat()
            except ValueError:
                break  # 30 February
    raise BilingualValueError(
        f"{text!r} 不是我能读的日期，请写成 7 March 2024、March 7, 2024 或 2024年3月7日 的样子",
        f"{text!r} is not a date I can read; write it like 7 March 2024, March 7, 2024 or 2024年3月7日",
    )


def _draw(shape: tuple[int, int], generator: torch.Generator | None) -> list[str]:
    days = torch.randint(FIRST.toordinal(), LAST.toordinal() + 1, shape[:1], generator=generator).tolist()
    forms = torch.randint(len(FORMS), shape[:1], generator=generator).tolist()
    days_and_forms = zip(days, forms, strict=True)
    return [_written(datetime.date.fromordinal(day), FORMS[form]) for day, form in days_and_forms]


def _written(date: datetime.date, form: str) -> str:
    return form.format(day=date.day, name=MONTHS[date.month - 1], month=date.month, year=date.year)
