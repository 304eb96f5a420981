"""CoPE compared with sums in loops, and in attention with the formula and its variants."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import CoPE, cope_bias, cope_positions, gate_counts
from posenc_lessons.models import MultiHeadAttention, causal_mask

quickly = settings(max_examples=25)
lengths = st.integers(1, 7)
rows = st.integers(1, 7)
seeds = st.integers(0, 99)


@pytest.fixture(autouse=True)
def _small_strips(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make strips so small that even a few tokens need several."""
    for name, few in (("QUERIES", 2), ("NUMBERS", 20), ("KEYS", 1)):
        monkeypatch.setattr(gate_counts, name, few)


def sigmoid(x: float) -> float:
    return 0.0 if x == -math.inf else 1 / (1 + math.exp(-x))


def positions_by_loops(logits: list[list[float]], most: float) -> list[list[float]]:
    """Sum σ(logit) over the keys from j on, one row per query; hidden keys count 0."""
    result = []
    for row in logits:
        counted = []
        for j in range(len(row)):
            total = 0.0
            for k in range(j, len(row)):
                total += sigmoid(row[k])
            counted.append(0.0 if row[j] == -math.inf else min(total, most))
        result.append(counted)
    return result


def bias_by_loops(query: Tensor, logits: Tensor, table: Tensor) -> Tensor:
    """Compute equations 4, 5 and 6 as written: mix vectors [Lq, Lk, d_head], then multiply."""
    most = len(table) - 1
    bias = torch.zeros_like(logits)
    for i, row in enumerate(positions_by_loops(logits.tolist(), most)):
        for j, p in enumerate(row):
            below, above = math.floor(p), math.ceil(p)
            mixed = (p - below) * table[above] + (1 - p + below) * table[below]
            bias[i, j] = query[i] @ mixed
    return bias


def visible(len_q: int, len_k: int) -> Tensor:
    """Return a causal mask for the last ``len_q`` of ``len_k`` tokens; without ``len_k``, for all tokens."""
    return torch.arange(len_k) <= torch.arange(len_q)[:, None] + max(len_k - len_q, 0)


def example(seed: int, len_q: int, len_k: int, n_rows: int, hide: bool) -> tuple[Tensor, Tensor, Tensor]:
    """Return query, logits under a causal mask (``hide``: more keys hidden at random) and table, float64."""
    torch.manual_seed(seed)
    query, table = torch.randn(2, 3, len_q, 4).double(), torch.randn(n_rows, 4).double()
    recorded = visible(len_q, len_k).expand(2, 3, -1, -1)
    recorded = recorded & (torch.rand(recorded.shape) < 0.7) if hide else recorded
    logits = 2 * torch.randn(recorded.shape).double()
    return query, logits.masked_fill(~recorded, -math.inf), table


@quickly
@given(seed=seeds, len_q=lengths, len_k=lengths, n_rows=rows, hide=st.booleans())
def test_positions_and_bias_follow_their_definition(
    seed: int, len_q: int, len_k: int, n_rows: int, hide: bool
) -> None:
    query, logits, table = example(seed, len_q, len_k, n_rows, hide)
    positions, bias = cope_positions(logits, n_rows - 1), cope_bias(query, logits, table)
    for b in range(2):
        for h in range(3):
            by_loops = torch.tensor(
                positions_by_loops(logits[b, h].tolist(), n_rows - 1), dtype=torch.float64
            )
            assert_close(positions[b, h], by_loops, rtol=0, atol=1e-12)
            recorded = logits[b, h] > -math.inf
            expected = bias_by_loops(query[b, h], logits[b, h], table)
            assert_close(bias[b, h][recorded], expected[recorded], rtol=0, atol=1e-12)
    assert bias.isfinite().all()
    assert torch.equal(logits + bias == -math.inf, logits == -math.inf)


@pytest.mark.parametrize(
    ("shape", "n_rows"), [((2, 2, 3, 3), 3), ((2, 5), 4), ((4, 2), 2), ((1, 1, 4), 1)], ids=str
)
def test_gradients(shape: tuple[int, ...], n_rows: int) -> None:
    """First and second gradients equal finite differences also for masked keys: no NaN, 0 if hidden."""
    torch.manual_seed(0)
    query, table = torch.randn(*shape[:-1], 3).double(), torch.randn(n_rows, 3).double()
    logits, recorded = torch.randn(shape).double(), visible(*shape[-2:])
    inputs = tuple(x.requires_grad_() for x in (query, logits, table))

    def bias(query: Tensor, logits: Tensor, table: Tensor) -> Tensor:
        return cope_bias(query, logits.masked_fill(~recorded, -math.inf), table)

    assert torch.autograd.gradcheck(bias, inputs)
    assert torch.autograd.gradgradcheck(bias, inputs)
    masked = logits.detach().masked_fill(~recorded, -math.inf).requires_grad_()
    cope_bias(query, masked, table).square().sum().backward()
    assert masked.grad is not None and masked.grad.isfinite().all()
    assert (masked.grad[..., ~recorded] == 0).all()


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16])
def test_half_precision_is_counted_in_float32(kind: torch.dtype) -> None:
    torch.manual_seed(0)
    logits = torch.randn(8, 2048).to(kind)
    exact = logits.double().sigmoid().flip(-1).cumsum(-1).flip(-1)
    positions = cope_positions(logits, 2048)
    assert positions.dtype == torch.float32
    assert (positions - exact).abs().max() < 0.001
    query, table = torch.randn(8, 4).to(kind), torch.randn(64, 4).to(kind)
    bias = cope_bias(query, logits, table)
    assert bias.dtype == torch.float32
    assert_close(bias.double(), cope_bias(query.double(), logits.double(), table.double()), rtol=0, atol=1e-3)


def test_the_size_of_strips_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try several sizes of strips and memory layouts of the tensors."""
    torch.manual_seed(0)
    query, table = torch.randn(2, 9, 3, 4).transpose(1, 2), torch.randn(4, 5).T
    hidden = ~(visible(9, 11) & (torch.rand(3, 9, 11) < 0.8))
    logits = torch.randn(2, 3, 9, 11).masked_fill(hidden, -math.inf)
    logits = logits.transpose(0, 1).mT.contiguous().mT.transpose(0, 1)
    inputs = [x.double().requires_grad_() for x in (query, logits, table)]
    arguments = torch.randn(11, 9, 3, 2).permute(3, 2, 1, 0).double()
    z = inputs[0] @ inputs[2].mT
    at_once = gate_counts._all_at_once(z, inputs[1])
    expected = torch.autograd.grad(at_once, inputs, arguments)
    for queries, numbers, threads in ((1, 1, 1), (2, 50, 1), (4, 1000, 1), (64, 1 << 18, 1), (1, 1, 2)):
        monkeypatch.setattr(gate_counts, "QUERIES", queries)
        monkeypatch.setattr(gate_counts, "NUMBERS", numbers)
        monkeypatch.setattr(torch, "get_num_threads", lambda threads=threads: threads)
        bias = cope_bias(*inputs)
        assert_close(bias, at_once, rtol=0, atol=1e-13)
        for ours, theirs in zip(torch.autograd.grad(bias, inputs, arguments), expected, strict=True):
            assert_close(ours, theirs, rtol=0, atol=1e-13)


HEADS, WIDTH, ROWS = 2, 4, 5


def attention(length_of_table: int = ROWS, std: float = 1.0, **options: bool) -> MultiHeadAttention:
    torch.manual_seed(0)
    layer = MultiHeadAttention(HEADS * WIDTH, HEADS, CoPE(WIDTH, length_of_table, **options)).double()
    torch.nn.init.normal_(layer.encoding.table, std=std)
    return layer


def tokens(length: int, batch: int = 2) -> Tensor:
    return 2 * torch.randn(batch, length, HEADS * WIDTH).double()


def split(layer: MultiHeadAttention, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return query, key and value, each [B, H, L, d_head]."""
    projections = (layer.w_query, layer.w_key, layer.w_value)
    q, k, v = (w(x).unflatten(-1, (HEADS, WIDTH)).transpose(1, 2) for w in projections)
    return q, k, v


def weights_by_the_formula(
    q: Tensor, k: Tensor, table: Tensor, divide_gates: bool, divide_table: bool
) -> Tensor:
    """Return the weights [L, L] of one head under a causal mask; ``q`` and ``k`` are [L, d_head]."""
    root = math.sqrt(q.shape[1])
    products = (q @ k.T).masked_fill(~causal_mask(len(q)), -math.inf)
    gates = products / root if divide_gates else products
    bias = bias_by_loops(q / root if divide_table else q, gates, table)
    return (products / root + bias).softmax(dim=-1)


@pytest.mark.parametrize("divide_gates", [True, False])
@pytest.mark.parametrize("divide_table", [True, False])
def test_attention_follows_the_formula(divide_gates: bool, divide_table: bool) -> None:
    layer, x = attention(divide_gates=divide_gates, divide_table=divide_table), tokens(7)
    out, weights = layer(x, mask=causal_mask(7), need_weights=True)
    q, k, v = split(layer, x)
    table = layer.encoding.table
    for b in range(2):
        parts = []
        for h in range(HEADS):
            expected = weights_by_the_formula(q[b, h], k[b, h], table, divide_gates, divide_table)
            assert_close(weights[b, h], expected, rtol=0, atol=1e-12)
            parts.append(expected @ v[b, h])
        assert_close(out[b], layer.w_out(torch.cat(parts, dim=-1)), rtol=0, atol=1e-12)


def test_only_the_order_of_positions_matters() -> None:
    """Shifting positions, spreading them, or shuffling them with the tokens changes nothing."""
    layer, x = attention(), tokens(6)
    expected = layer(x, mask=causal_mask(6))
    for at in (torch.arange(6) + 10**6, torch.tensor([0, 1, 5, 6, 70, 71]), torch.arange(6) / 3):
        assert_close(layer(x, mask=causal_mask(6), query_positions=at), expected, rtol=0, atol=1e-13)
    order = torch.tensor([3, 0, 5, 1, 4, 2])
    orders, masks = (
        torch.stack((order, torch.arange(6))),
        torch.stack((causal_mask(6)[order][:, order], causal_mask(6))),
    )
    mixed = torch.stack((x[0, order], x[1]))
    out = layer(mixed, mask=masks[:, None], query_positions=orders)
    assert_close(out, torch.stack((expected[0, order], expected[1])), rtol=0, atol=1e-13)


def test_without_a_causal_mask_later_keys_are_at_position_0_and_not_counted() -> None:
    """In the formula, the sum from a later key back to the query is empty; the listing would count on."""
    layer, x, mask = attention(), tokens(6), causal_mask(6)
    at = torch.arange(6)
    q, k, _ = split(layer, x)
    scores = q @ k.mT / math.sqrt(WIDTH)
    cope = layer.encoding
    bias = cope.score_bias(q, q, at, at, scores)
    masked = cope.score_bias(q, q, at, at, scores.masked_fill(~mask, -math.inf))
    assert_close(bias, masked, rtol=0, atol=0)
    z = q @ cope.table.T
    assert_close(bias[..., ~mask], z[..., :1].expand_as(bias)[..., ~mask], rtol=0, atol=1e-14)
    # One key that one sequence must not see yet is enough.
    early = mask.expand(2, HEADS, 6, 6).clone()
    early[1, 0, 2, 4] = True
    partly = cope.score_bias(q, q, at, at.expand(2, -1), scores.masked_fill(~early, -math.inf))
    assert_close(partly, masked, rtol=0, atol=0)
