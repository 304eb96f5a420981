"""Greedy decoding: always the likeliest token, with a cache or without one."""

from typing import Any

import pytest
import torch
from torch import Tensor, nn

from posenc_lessons.models import COURSE_ENCODINGS, DecoderOnly, Seq2Seq, generate, translate

every_encoding = pytest.mark.parametrize("name", COURSE_ENCODINGS)
VOCAB = 9


def with_large_weights(model: Any) -> Any:
    """Make weights so large that the output changes from token to token; biases stay small."""
    for parameter in model.parameters():
        if parameter.ndim > 1:
            nn.init.normal_(parameter)
    return model.double().eval()


def language_model(name: str, max_len: int = 32) -> DecoderOnly:
    torch.manual_seed(10)
    return with_large_weights(DecoderOnly(VOCAB, 12, 2, 2, name, max_len))


def translator(name: str) -> Seq2Seq:
    torch.manual_seed(0)
    return with_large_weights(Seq2Seq(7, VOCAB, 12, 2, 2, name, max_len=32))


@every_encoding
def test_each_generated_token_is_the_likeliest(name: str) -> None:
    model, text = language_model(name), torch.randint(VOCAB, (3, 4))
    actual, expected = generate(model, text, 8), text
    for _ in range(8):
        expected = torch.cat((expected, model(expected)[:, -1:].argmax(dim=-1)), dim=1)
    assert torch.equal(actual, expected)
    assert torch.equal(generate(model, text, 8, use_cache=False), expected)
    assert len(set(actual[:, 4:].flatten().tolist())) > 1


@every_encoding
def test_padded_prompts_continue_as_each_would_by_itself(name: str) -> None:
    model, text = language_model(name), torch.randint(VOCAB, (3, 6))
    real = torch.ones(3, 6, dtype=torch.bool)
    real[1, 4:], real[2, :3] = False, False
    for use_cache in (True, False):
        actual = generate(model, text, 7, real, use_cache=use_cache)
        assert torch.equal(actual[:, :6], text)
        for row, alone, recorded in zip(actual, text, real, strict=True):
            assert torch.equal(row[6:], generate(model, alone[None, recorded], 7)[0, -7:])


def by_hand(model: Seq2Seq, source: Tensor, start: int, end: int, max_len: int) -> list[int]:
    """Decode one source [1, S], with everything computed again at each step."""
    written = [start]
    while len(written) <= max_len and end not in written[1:]:
        written.append(int(model(source, torch.tensor([written]))[0, -1].argmax()))
    return written[1:]


@every_encoding
def test_translates_up_to_the_end_token(name: str) -> None:
    model, source = translator(name), torch.randint(7, (6, 5))
    rows = [by_hand(model, source[n : n + 1], 1, -1, 7) for n in range(6)]
    end = rows[0][2]  # a token that some row does write
    expected = [by_hand(model, source[n : n + 1], 1, end, 7) for n in range(6)]
    longest = max(map(len, expected))
    for use_cache in (True, False):
        actual = translate(model, source, 1, end, 7, use_cache=use_cache)
        assert actual.tolist() == [row + [end] * (longest - len(row)) for row in expected]


@pytest.mark.parametrize("training", [True, False])
def test_decoding_uses_no_dropout_and_restores_the_mode(training: bool) -> None:
    torch.manual_seed(0)
    model, text = DecoderOnly(VOCAB, 12, 2, 1, dropout=0.9), torch.randint(VOCAB, (2, 4))
    model.train(training)
    actual = generate(model, text, 6)
    assert model.training is training and not actual.requires_grad
    model.eval()
    assert torch.equal(actual, generate(model, text, 6))
    model.train(training)
    with pytest.raises(ValueError):
        generate(model, text[0], 6)
    assert model.training is training


@pytest.mark.parametrize(("options", "lengths"), [({}, [3, 1, 1]), ({"use_cache": False}, [3, 4, 5])])
def test_each_step_reads_only_the_new_token_unless_told_otherwise(
    options: dict[str, bool], lengths: list[int]
) -> None:
    model, recorded = DecoderOnly(9, 8, 2, 1), []
    model.register_forward_pre_hook(lambda _, given: recorded.append(given[0].shape[1]))
    generate(model, torch.tensor([[3, 1, 4]]), 3, **options)
    assert recorded == lengths
    both, recorded = Seq2Seq(7, 9, 8, 2, 1), []
    both.to_logits.bias.data[0] = -100  # the end is never the likeliest
    both.decoder.register_forward_pre_hook(lambda _, given: recorded.append(given[0].shape[1]))
    translate(both, torch.tensor([[3, 1, 4]]), 1, 0, 3, **options)
    assert recorded == ([1, 2, 3] if options else [1, 1, 1])
