"""The census gives the same results again for some model types."""

from __future__ import annotations

import json

import pytest
import torch
import transformers
from torch.testing import assert_close

from tests.oracles.census.__main__ import SEEN
from tests.oracles.census.facts import facts
from tests.oracles.census.seen import compact
from tests.oracles.census.small import built, small

#: Model types whose small models are built and probed again; ``python -m tests.oracles.census`` does all.
BUILT = ("arcee", "glm", "gptj", "olmo2", "opt", "mbart")


@pytest.mark.parametrize("model_type", BUILT)
def test_the_census_gives_the_same_results_again(model_type: str) -> None:
    try:
        config = small(model_type)
    except ValueError:
        pytest.skip(f"transformers {transformers.__version__} has no {model_type}")
    seen = facts(built(config))
    seen["config"] = json.loads(config.to_json_string(use_diff=False))
    known = json.loads(SEEN.read_text("utf-8"))[model_type]
    now = json.loads(json.dumps(compact(seen)))
    for was, is_now in zip(known["layers"], now["layers"], strict=True):
        for name in ("layers", "kind", "sees", "window", "pairing", "start", "pairs"):
            assert was.get(name) == is_now.get(name), name
        for name in ("angles", "angles_there"):
            then, again = (torch.tensor(each.get(name, [])) for each in (was, is_now))
            assert_close(again, then, rtol=0, atol=1e-5)
    assert known["tables"] == now["tables"]
