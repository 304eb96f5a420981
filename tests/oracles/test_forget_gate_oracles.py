"""Our forget gate compared with x-transformers' "data dependent ALiBi" of the Forgetting Transformer."""

from __future__ import annotations

import warnings

import torch
from torch.testing import assert_close

from posenc_lessons.encodings import ForgetGate
from posenc_lessons.models import causal_mask
from posenc_lessons.models.attention import cumulative_gates

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it still imports torch.jit.script
    from x_transformers import x_transformers


def test_under_a_causal_mask_the_biases_are_equal() -> None:
    torch.manual_seed(0)
    theirs, ours = x_transformers.DataDependentAlibi(16, 3), ForgetGate(16, 3)
    ours.to_gates.load_state_dict(theirs.to_forget_gates[0].state_dict())
    x, at = torch.randn(2, 40, 16), torch.arange(40)
    sums = cumulative_gates(ours.log_gates(x), at, None)
    recorded = causal_mask(40)
    actual, expected = (bias.masked_fill(~recorded, 0) for bias in (ours.gate_bias(sums, sums), theirs(x)))
    assert_close(actual.float(), expected, rtol=1e-5, atol=1e-6)
