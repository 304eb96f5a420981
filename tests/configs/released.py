"""Released configurations, and a small Llama whose keys tests change."""

import json
import re
from pathlib import Path
from typing import Any

from posenc_lessons.encodings import PositionEncoding

FILES = Path(__file__).with_name("files")
NAMES = sorted(path.stem for path in FILES.glob("*.json"))
LLAMA = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 4}
LLAMA |= {"max_position_embeddings": 4096}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024}


def released(name: str) -> dict[str, Any]:
    """Return the configuration ``name``; ``files/SOURCES.md`` says where each is from."""
    return json.loads((FILES / f"{name}.json").read_text("utf-8"))


def llama(**keys: Any) -> dict[str, Any]:
    return {**LLAMA, **keys}


def assert_same(encoding: PositionEncoding, expected: PositionEncoding) -> None:
    """Assert that both have the same settings; 8 and 8.0 are the same."""
    ours, theirs = (re.sub(r"\.0(?=[,)])", "", repr(each)) for each in (encoding, expected))
    assert ours == theirs
