"""CoPE in attention: the formula, the paper's listing, its released code, and what the gates learn."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import CoPE, gate_counts
from posenc_lessons.models import MultiHeadAttention, causal_mask

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
    """Return the weights [L, L] of one head, token by token; ``q`` and ``k`` are [L, d_head]."""
    root = math.sqrt(q.shape[1])
    weights = torch.zeros(len(q), len(q)).double()
    for i in range(len(q)):
        scores = []
        for j in range(i + 1):
            p = 0.0
            for n in range(j, i + 1):
                p += torch.sigmoid(q[i] @ k[n] / (root if divide_gates else 1)).item()
            p = min(p, len(table) - 1)
            below, above = math.floor(p), math.ceil(p)
            e = (p - below) * table[above] + (1 - p + below) * table[below]
            scores.append(q[i] @ k[j] / root + q[i] @ e / (root if divide_table else 1))
        weights[i, : i + 1] = torch.stack(scores).softmax(dim=0)
    return weights


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


def between(query: Tensor, positions: Tensor, table: Tensor) -> Tensor:
    """Do the step that listing and released code have in common: multiply by [d_head, n], mix ⌈p⌉ and ⌊p⌋."""
    numbers = query @ table.T
    ceil, floor = positions.ceil().long(), positions.floor().long()
    share = positions - floor
    return numbers.gather(-1, ceil) * share + numbers.gather(-1, floor) * (1 - share)


def as_listed(q: Tensor, k: Tensor, v: Tensor, table: Tensor, mask: Tensor) -> Tensor:
    """Do what the paper's listing does: divide the scores, add the mask, apply the gates, add the bias."""
    logits = q @ k.mT / math.sqrt(q.shape[-1]) + mask.log()
    positions = torch.sigmoid(logits).flip(-1).cumsum(-1).flip(-1).clamp(max=len(table) - 1)
    return (logits + between(q, positions, table)).softmax(dim=-1) @ v


def as_released(q: Tensor, k: Tensor, v: Tensor, table: Tensor, mask: Tensor) -> Tensor:
    """Do what the released code does by default: gate on divided products, mask the gates by multiplication,
    add z to the undivided products, divide the sum, mask.
    """
    products = q @ k.mT
    gates = torch.sigmoid(products / math.sqrt(q.shape[-1])) * mask
    positions = gates.flip(-1).cumsum(-1).flip(-1).clamp(max=len(table) - 1)
    logits = (products + between(q, positions, table)) / math.sqrt(q.shape[-1])
    return (logits + mask.log()).softmax(dim=-1) @ v


@pytest.mark.parametrize("way", ["listing", "released"])
def test_the_papers_listing_and_its_released_code_are_options(way: str) -> None:
    length = 9
    by_hand = {"listing": as_listed, "released": as_released}[way]
    # The listing takes any number of rows; the released code one more than tokens unless told otherwise.
    layer = attention(ROWS) if way == "listing" else attention(length + 1, divide_table=True)
    x, mask = tokens(length), causal_mask(length)
    mask = mask.clone()
    mask[5:, 1] = False  # and one more hidden key
    out = layer(x, mask=mask)
    heads = by_hand(*split(layer, x), layer.encoding.table, mask.double())
    assert_close(out, layer.w_out(heads.transpose(1, 2).flatten(2)), rtol=0, atol=1e-12)
    other = attention(layer.encoding.n_positions, divide_table=way == "listing")
    assert (other(x, mask=mask) - out).abs().max() > 0.01, "the option matters"


@pytest.mark.parametrize("in_strips", [False, True])
def test_only_the_order_of_positions_matters(in_strips: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shifting positions, spreading them, or shuffling them with the tokens changes nothing."""
    layer, x = attention(), tokens(6)
    expected = layer(x, mask=causal_mask(6))
    if in_strips:
        monkeypatch.setattr(gate_counts, "NUMBERS", 1)
        monkeypatch.setattr(gate_counts, "KEYS", 1)
        monkeypatch.setattr(gate_counts, "QUERIES", 4)
    for at in (torch.arange(6) + 10**6, torch.tensor([0, 1, 5, 6, 70, 71]), torch.arange(6) / 3):
        assert_close(layer(x, mask=causal_mask(6), query_positions=at), expected, rtol=0, atol=1e-13)
    order = torch.tensor([3, 0, 5, 1, 4, 2])
    mask = causal_mask(6)[order][:, order]
    shuffled = layer(x[:, order], mask=mask, query_positions=order)
    assert_close(shuffled, expected[:, order], rtol=0, atol=1e-13)
    small = layer(x[:, order], mask=mask, query_positions=order.to(torch.uint8))
    assert torch.equal(small, shuffled), "unsigned positions must not wrap around"
    one = torch.stack((torch.arange(6), torch.arange(6) + 3))
    assert_close(layer(x, mask=causal_mask(6), query_positions=one), expected, rtol=0, atol=1e-13)
    orders = torch.stack((order, torch.arange(6)))
    mixed = torch.stack((x[0, order], x[1]))
    masks = torch.stack((mask, causal_mask(6)))[:, None]
    out = layer(mixed, mask=masks, query_positions=orders)
    assert_close(out, torch.stack((expected[0, order], expected[1])), rtol=0, atol=1e-13)
    out.sum().backward()
    assert all(p.grad is not None and p.grad.isfinite().all() for p in layer.parameters())


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
    one_head = [x[:1, :1, :3].detach() for x in (q, scores[..., :3])]
    ready = [x.requires_grad_() for x in one_head]

    def small(query: Tensor, scores: Tensor) -> Tensor:
        return cope.score_bias(query, query, at[:3], at[:3], scores)

    assert torch.autograd.gradcheck(small, ready) and torch.autograd.gradgradcheck(small, ready)
    once, twice = (
        torch.autograd.grad(small(*ready).sum(), ready, create_graph=more) for more in (False, True)
    )
    assert_close(once, twice, rtol=0, atol=1e-13)
    # One key that one sequence must not see yet is enough.
    early = mask.expand(2, HEADS, 6, 6).clone()
    early[1, 0, 2, 4] = True
    partly = cope.score_bias(q, q, at, at.expand(2, -1), scores.masked_fill(~early, -math.inf))
    assert_close(partly, masked, rtol=0, atol=0)


@pytest.mark.parametrize("kind", [torch.float32, torch.float16, torch.bfloat16])
def test_other_precisions(kind: torch.dtype) -> None:
    layer, mask = attention(std=0.3), causal_mask(40)
    x = tokens(40) / 2
    expected = layer(x, mask=mask)
    layer.to(kind)
    out = layer(x.to(kind), mask=mask)
    assert out.dtype == kind
    assert (out.double() - expected).abs().max() < 16 * torch.finfo(kind).eps
    layer.float()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        narrow = layer(x.float(), mask=mask)
    assert (narrow.double() - expected).abs().max() < 16 * torch.finfo(torch.bfloat16).eps
