"""The census's kinds of layers are those of transformers' default configurations."""

from __future__ import annotations

import pytest
import transformers

from posenc_lessons.encodings.config import read_config
from posenc_lessons.encodings.config.families import census
from posenc_lessons.encodings.config.layers import LayerPositions, no_attention
from posenc_lessons.encodings.config.overview import CensusRow, LayerKind, census_rows
from posenc_lessons.encodings.rotary import RotaryEncoding
from posenc_lessons.encodings.rotary_axes import MultiAxisRotary

MIXED = [row for row in census_rows() if row.kind == "rotary" and set(row.layers) != {"full"}]
# The type of layer is called sliding, but the configuration has no length of the window.
UNSIZED = {"recurrent_gemma", "t5gemma2_decoder"}
VERSION = census()["made"]["transformers"]


def kind_of(layer: LayerPositions) -> LayerKind:
    if set(no_attention().remarks) <= set(layer.remarks):
        return "no_attention"
    if layer.makes not in (RotaryEncoding, MultiAxisRotary):
        return "none"
    return "full" if layer.window is None else "window"


@pytest.mark.skipif(transformers.__version__ != VERSION, reason="its defaults may be others")
@pytest.mark.parametrize("row", MIXED, ids=lambda row: row.name)
def test_layers_are_those_of_the_default_configuration(row: CensusRow) -> None:
    config = transformers.AutoConfig.for_model(row.name).to_dict()
    expected: set[LayerKind] = set(row.layers)
    if row.name in UNSIZED:
        expected = (expected - {"window"}) | {"full"}
    assert {kind_of(layer) for layer in read_config(config).layers} == expected
