"""What ``posenc-lessons config`` says of each type of model and tower, as transformers' class fills its file.

    python -m tests.oracles.descriptions    write descriptions.json again; its diff shows what has changed

Each type is described twice: with the values of its class, and with every setting that is yes or no the other
way round, where that says something else. Then come the rows of the census as the site's table shows them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from posenc_lessons.encodings.config import describe_config, read_config
from posenc_lessons.encodings.config import overview_words as words
from posenc_lessons.encodings.config.families import families
from posenc_lessons.encodings.config.layers import LayerPositions
from posenc_lessons.encodings.config.overview import census_rows
from posenc_lessons.encodings.config.reading import Part
from posenc_lessons.encodings.config.towers import towers_table
from posenc_lessons.language import BilingualError

KEPT = Path(__file__).with_name("descriptions.json")
TABLES: dict[Part, Mapping[str, Any]] = {"text": families(), "vision": towers_table()}
# Its class refuses its own values.
TYPES = [(part, name) for part, table in TABLES.items() for name in table if name != "gemma4_assistant"]


def file_of_class(name: str) -> dict[str, Any]:
    """Return a file in which the class of ``name`` has filled in every key."""
    return dict(json.loads(CONFIG_MAPPING[name]().to_json_string(use_diff=False)))


def said(config: Mapping[str, Any], part: Part) -> dict[str, str]:
    """Return the description of ``config``, or the refusal, in both languages."""
    try:
        text, layers = describe_config(config, part=part), read_config(config, part=part).layers
    except BilingualError as refused:
        return {"zh": refused.zh, "en": refused.en}
    return {"zh": text.zh, "en": text.en, "settings": "\n".join(dict.fromkeys(map(settings, layers)))}


def settings(layer: LayerPositions) -> str:
    """Return the numbers of ``layer``, of which the words leave out some."""
    parts = [(layer.makes, layer.settings), *(each for each in (layer.table, layer.temperature) if each)]
    return " + ".join(
        f"{makes.__name__} { {key: value for key, value in said.items() if value is not None} }"
        for makes, said in parts
    )


def described(part: Part, name: str) -> dict[str, dict[str, str]]:
    """Return what is said of ``name``, by the part and the name, and of its settings the other way round."""
    config = file_of_class(name)
    row = TABLES[part][name]
    asked = dict.fromkeys((*row.reads, *row.missing, *getattr(row, "switches", ())))
    turned = {key: not config[key] for key in asked if isinstance(config.get(key), bool)}
    usual, other = said(config, part), said({**config, **turned}, part)
    found = {f"{part} {name}": usual}
    return found | ({f"{part} {name}, {', '.join(turned)}": other} if other != usual else {})


def rows() -> dict[str, dict[str, str]]:
    """Return the rows of the census, and how many of them are in each group."""
    columns = (words.doors, words.share, words.bases, words.layers, words.extension)
    found = {
        f"row {row.name}": {
            language: " | ".join(getattr(column(row), language) for column in columns)
            for language in ("zh", "en")
        }
        for row in census_rows()
    }
    for what, groups in words.census_counts():
        found[f"groups by {what.en}"] = {
            language: ", ".join(f"{getattr(name, language)}: {number}" for name, number in groups)
            for language in ("zh", "en")
        }
    return found


def main() -> None:
    found = {key: text for part, name in TYPES for key, text in described(part, name).items()} | rows()
    KEPT.write_text(json.dumps(found, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
