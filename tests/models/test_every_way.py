"""In pieces, padded, packed: a model gives for a text what it gives for this text alone.

Each way is tried with every encoding (``KINDS``), with layers of several kinds and windows, with latent
attention, and with positions of several coordinates.
"""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import MultiAxisRotary, RotaryEncoding, multimodal_positions
from posenc_lessons.models import COURSE_ENCODINGS, DecoderOnly, LatentAttention, Seq2Seq, TransformerEncoder
from tests.encodings.kinds import KINDS, D, H
from tests.models.random_weights import with_random_weights

VOCAB, LENGTH = 9, 10
KINDS_IN_TEXTS = [name for name, kind in KINDS.items() if not kind.make().needs_positions]


def of_kind(name: str) -> Callable[[], DecoderOnly]:
    return lambda: DecoderOnly(VOCAB, H * D, H, 2, KINDS[name].make())


def in_layers(encoding: list[Any], window: list[int | None]) -> Callable[[], DecoderOnly]:
    return lambda: DecoderOnly(VOCAB, H * D, H, len(encoding), encoding, 32, window=window)


def latent(window: Any) -> DecoderOnly:
    model = DecoderOnly(VOCAB, H * D, H, 2, window=window)
    for layer in model.layers:
        layer.attention = LatentAttention(H * D, H, 7, 5, 4, RotaryEncoding(4))
    return model


def sections() -> MultiAxisRotary:
    return MultiAxisRotary(D, (2, 1, 1))


MODELS: dict[str, Callable[[], DecoderOnly]] = {
    **{name: of_kind(name) for name in KINDS_IN_TEXTS},
    "windows": in_layers(["rotary", "none", "alibi", "t5"], [3, None, 4, 3]),
    "latent": lambda: latent(None),
    "latent in windows": lambda: latent([4, None]),
    "coordinates by layer, in windows": in_layers([sections(), "alibi", "shaw"], [4, None, 6]),
}
every_model = pytest.mark.parametrize("name", MODELS)
REAL = torch.ones(3, LENGTH, dtype=torch.bool)
REAL[1, 3:7], REAL[2, :2], REAL[2, 9:] = False, False, False
COORDINATES, _ = multimodal_positions([("text", 2), ("image", 2, 3), ("text", 2)])  # [10, 3]
pieces = pytest.mark.parametrize("lengths", [(1,) * 10, (10,), (4, 1, 5)], ids=str)


def model_and_text(name: str) -> tuple[DecoderOnly, Tensor, Tensor | None]:
    """Return a model, texts, and their positions [L, 3] if it reads three coordinates."""
    torch.manual_seed(0)
    model = with_random_weights(MODELS[name]())
    axes = model.decoder.axes
    return model, torch.randint(VOCAB, (3, LENGTH)), None if axes == 1 else COORDINATES[:, :axes]


def alone(model: DecoderOnly, text: Tensor, positions: Tensor | None, real: Tensor) -> Tensor:
    """Return the logits of the ``real`` tokens of one text [L], computed without the others."""
    logits: Tensor = model(text[None, real], None if positions is None else positions[real])[0]
    return logits


@every_model
@pieces
def test_padded_and_in_pieces(name: str, lengths: tuple[int, ...]) -> None:
    model, text, positions = model_and_text(name)
    cache, parts = model.new_cache(), []
    at = [None] * len(lengths) if positions is None else positions.split(lengths)
    for piece, real, where in zip(text.split(lengths, 1), REAL.split(lengths, 1), at, strict=True):
        parts.append(model(piece, where, cache=cache, real=real))
    out, (open_steps, weights) = torch.cat(parts, dim=1), model(text, positions, real=REAL, need_weights=True)
    assert cache.real is not None and torch.equal(cache.real, REAL) and out.isfinite().all()
    for row, steps, tokens, real in zip(out, open_steps, text, REAL, strict=True):
        expected = alone(model, tokens, positions, real)
        assert_close(row[real], expected, rtol=0, atol=1e-12)
        assert_close(steps[real], expected, rtol=0, atol=1e-12)
    for shares in weights:
        assert_close(shares.sum(dim=-1), torch.ones_like(shares[..., 0]), rtol=0, atol=1e-12)
        assert (shares.triu(1) == 0).all()


@every_model
def test_without_padding_a_step_gives_the_last_row(name: str) -> None:
    model, text, positions = model_and_text(name)
    cache, parts = model.new_cache(), []
    expected, weights = model(text, positions, need_weights=True)
    for n in range(LENGTH):
        where = None if positions is None else positions[n : n + 1]
        logits, shares = model(text[:, n : n + 1], where, cache=cache, need_weights=True)
        parts.append(logits)
        for ours, whole in zip(shares, weights, strict=True):
            remaining = ours.shape[-1]
            assert_close(ours, whole[:, :, n : n + 1, n + 1 - remaining : n + 1], rtol=0, atol=1e-12)
    assert_close(torch.cat(parts, dim=1), expected, rtol=0, atol=1e-12)
    assert_close(model(text, positions), expected, rtol=0, atol=1e-12)
    assert cache.real is None
    windows = [window or LENGTH for window in model.decoder.windows]
    assert [layer.length for layer in cache.self_attention] == windows


@every_model
def test_two_texts_packed_into_one_row_and_over_a_cache(name: str) -> None:
    model, text, positions = model_and_text(name)
    which = torch.tensor([0] * 4 + [1] * 6)
    at = torch.cat((torch.arange(4), torch.arange(6)))
    at = at if positions is None else at[:, None].expand(-1, model.decoder.axes)
    mask = which[:, None] == which
    expected = torch.cat((model(text[:, :4]), model(text[:, 4:])), dim=1)
    assert_close(model(text, at, mask), expected, rtol=0, atol=1e-12)
    rows = torch.stack((at, at, at)), mask.expand(3, 1, -1, -1)
    assert_close(model(text, *rows), expected, rtol=0, atol=1e-12)
    cache = model.new_cache()
    parts = [model(text[:, :6], at[:6], mask[:6, :6], cache)]
    for n in range(6, LENGTH):  # places go on by themselves; coordinates would, from the largest one
        where = None if positions is None else at[n : n + 1]
        parts.append(model(text[:, n : n + 1], where, mask[n, : n + 1], cache))
    assert_close(torch.cat(parts, dim=1), expected, rtol=0, atol=1e-12)


@every_model
def test_padding_gets_no_gradient_and_never_a_nan(name: str) -> None:
    model, text, positions = model_and_text(name)
    real = torch.cat((REAL[:2], torch.zeros(1, LENGTH, dtype=torch.bool)))  # a row of nothing but padding
    x = model.embedding(text).detach().requires_grad_()
    model.decoder(x, None, positions, real=real)[real].square().sum().backward()
    assert x.grad is not None and (x.grad[~real] == 0).all()
    assert all(p.grad is None or p.grad.isfinite().all() for p in model.parameters())


@pytest.mark.parametrize("name", COURSE_ENCODINGS)
@pieces
def test_a_padded_translator_in_pieces(name: str, lengths: tuple[int, ...]) -> None:
    torch.manual_seed(0)
    model = with_random_weights(Seq2Seq(7, VOCAB, 12, 2, 2, name, max_len=LENGTH))
    source, target = torch.randint(7, (3, LENGTH)), torch.randint(VOCAB, (3, LENGTH))
    memory, cache = model.encode(source, REAL), model.new_cache()
    parts = [model.decode(piece, memory, REAL, cache) for piece in target.split(lengths, 1)]
    out, whole = torch.cat(parts, dim=1), model(source, target, REAL)
    for row in range(3):
        expected = model(source[row, REAL[row]][None], target[row][None])[0]
        assert_close(out[row], expected, rtol=0, atol=1e-12)
    assert [layer.length for layer in cache.cross_attention] == [LENGTH] * 2
    assert_close(whole, out, rtol=0, atol=1e-12)
    with_weights, _ = model(source, target, REAL, need_weights=True)
    assert_close(with_weights, whole, rtol=0, atol=1e-12)


@pytest.mark.parametrize("norm_first", [True, False])
@pytest.mark.parametrize("name", KINDS)
def test_a_padded_encoder(name: str, norm_first: bool) -> None:
    torch.manual_seed(0)
    encoding = KINDS[name].make()
    stack = with_random_weights(TransformerEncoder(H * D, H, 2, encoding, norm_first=norm_first))
    x = torch.randn(3, LENGTH, H * D).double()
    positions = None if stack.axes == 1 else COORDINATES[:, 3 - stack.axes :]
    for need_weights in (False, True):
        out = stack(x, positions, real=REAL, need_weights=need_weights)
        out = out[0] if need_weights else out
        for row, vectors, real in zip(out, x, REAL, strict=True):
            where = None if positions is None else positions[real]
            assert_close(row[real], stack(vectors[None, real], where)[0], rtol=0, atol=1e-12)


@pytest.mark.filterwarnings("ignore:Mismatch dtype between input and weight")  # RMSNorm under autocast
@every_model
def test_saved_loaded_and_in_other_precisions(name: str) -> None:
    model, text, positions = model_and_text(name)
    expected = model(text, positions)
    other = MODELS[name]().double().eval()
    assert not torch.allclose(other(text, positions), expected)
    other.load_state_dict(model.state_dict())
    assert torch.equal(other(text, positions), expected)
    for kind, most in ((torch.float32, 1e-4), (torch.bfloat16, 1.0)):
        for need_weights in (False, True):
            out = other.to(kind)(text, positions, need_weights=need_weights)
            out = out[0] if need_weights else out
            assert out.dtype == kind and (out.double() - expected).abs().max() < most
    other.load_state_dict(model.state_dict())
    with torch.autocast("cpu", torch.bfloat16):
        narrow = other.float()(text, positions)
    assert (narrow.double() - expected).abs().max() < 1.0
