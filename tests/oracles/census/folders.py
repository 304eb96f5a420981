"""Find the model types for which transformers has a text model, their folders and text configurations."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any, NamedTuple

import transformers
from transformers import AutoConfig
from transformers.models.auto import modeling_auto as auto
from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES, model_type_to_module_name

MODELS = Path(transformers.__file__).parent / "models"
#: The kinds of models to build, in order of preference: whole models with a head for text.
MAPPINGS = {
    "AutoModelForCausalLM": auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    "AutoModelForMaskedLM": auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    "AutoModelForSeq2SeqLM": auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
    "AutoModelForMultimodalLM": auto.MODEL_FOR_MULTIMODAL_LM_MAPPING_NAMES,
}
#: Names of the text model's configuration inside that of a larger model.
INNER = ("text_config", "thinker_config", "llm_config", "language_config", "decoder_config", "decoder")


class ModelType(NamedTuple):
    """A ``model_type`` with its folder and the classes that make it."""

    name: str
    folder: str
    classes: tuple[str, ...]


def model_types() -> list[ModelType]:
    """Return every model type of the three mappings, by name."""
    names = sorted({name for mapping in MAPPINGS.values() for name in mapping})
    return [
        ModelType(
            name,
            model_type_to_module_name(name),
            tuple(auto_class for auto_class, mapping in MAPPINGS.items() if name in mapping),
        )
        for name in names
    ]


def text_path(config: Any) -> tuple[str, ...]:
    """Return the attributes that lead from ``config`` to its text model's; () if it is a text model's."""
    inner = config.get_text_config(decoder=True)
    if inner is config:
        return ()
    for name in (*getattr(config, "sub_configs", {}), *INNER):
        each = getattr(config, name, None)
        if each is inner:
            return (name,)
        if (
            each is not None
            and hasattr(each, "get_text_config")
            and each.get_text_config(decoder=True) is inner
        ):
            return (name, *text_path(each))
    return ()


def source_files(folder: str) -> list[Path]:
    """Return the files of a folder's models and configurations, without generated copies of other folders."""
    return sorted([*(MODELS / folder).glob("modeling_*.py"), *(MODELS / folder).glob("configuration_*.py")])


def source(folder: str) -> str:
    """Return the code of a folder's models."""
    return "".join(path.read_text("utf-8") for path in sorted((MODELS / folder).glob("modeling_*.py")))


def folder_of(config: Any) -> str:
    """Return the folder of the class of ``config``, which for a text model is not that of a larger one."""
    return type(config).__module__.split(".")[2]


def default_sections(folder: str) -> list[int] | None:
    """Return how many pairs each coordinate gets if the file does not say; None with one coordinate.

    [] if the code reads ``mrope_section`` and has no value for a file without it.
    """
    code = "".join(path.read_text("utf-8") for path in source_files(folder))
    if "mrope_section" not in re.sub(r"#.*", "", code):
        return None
    found = re.search(r"get\(\"mrope_section\", (\[[\d, ]+\])\)", code)
    return ast.literal_eval(found.group(1)) if found else []


def every_name() -> list[str]:
    return sorted(CONFIG_MAPPING_NAMES)


def made(name: str, **keys: Any) -> Any:
    return AutoConfig.for_model(name, **keys)
