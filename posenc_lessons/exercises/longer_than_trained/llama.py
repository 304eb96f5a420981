"""The exercise of lesson 08 on a configuration file: from its numbers to the frequencies."""

from __future__ import annotations

import math
from typing import Any

from torch import Tensor

from posenc_lessons.encodings import rotary_frequencies
from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import Exercise
from posenc_lessons.exercises.solutions import longer_than_trained as solutions
from posenc_lessons.language import Text

Config = dict[str, Any]


def _config(
    hidden: int, heads: int, base: float, factor: float, low: float, high: float, original: int
) -> Config:
    return {
        "hidden_size": hidden,
        "num_attention_heads": heads,
        "max_position_embeddings": int(factor * original) * 2,
        "rope_theta": base,
        "rope_scaling": {
            "rope_type": "llama3",
            "factor": factor,
            "low_freq_factor": low,
            "high_freq_factor": high,
            "original_max_position_embeddings": original,
        },
    }


LLAMA = Exercise(
    solutions.llama_frequencies,
    questions=(
        (_config(4096, 32, 500000.0, 8.0, 1.0, 4.0, 8192),),
        (_config(256, 4, 10000.0, 4.0, 1.0, 32.0, 2048),),
        (_config(96, 3, 500.0, 8.0, 0.5, 10.0, 300),),
    ),
    praise=Text(
        "对。第一份就是 Llama 3.1 8B 的配置：前 29 对没有动，后 29 对除以 8，中间 6 对混合。",
        "Right. The first is the configuration of Llama 3.1 8B: the first 29 pairs are kept, the last 29 "
        "divided by 8, and the 6 between are mixed.",
    ),
    tolerance=0.0,
    relative=1e-4,  # frequencies fall over many orders of magnitude
    call=lambda config: (
        f"llama_frequencies({{rope_theta: {config['rope_theta']:g}, "
        f"factor: {config['rope_scaling']['factor']:g}, …}})"
    ),
)


def _theta(config: Config) -> Tensor:
    return rotary_frequencies(config["hidden_size"] // config["num_attention_heads"], config["rope_theta"])


def _turns(config: Config) -> Tensor:
    return config["rope_scaling"]["original_max_position_embeddings"] * _theta(config) / (2 * math.pi)


def _share(config: Config, turns: Tensor) -> Tensor:
    scaling = config["rope_scaling"]
    low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
    return (turns - low) / (high - low)


def _mixed(kept: Tensor, config: Config) -> Tensor:
    theta = _theta(config)
    return kept * theta + (1 - kept) * theta / config["rope_scaling"]["factor"]


def _changed(config: Config, **changes: Any) -> Config:
    return {**config, "rope_scaling": {**config["rope_scaling"], **changes}}


LLAMA.mistake(
    "low_freq_factor 和 high_freq_factor 用反了：圈数到了 high 的是高频，不动；不到 low 的是低频，要除。",
    "low_freq_factor and high_freq_factor are exchanged: pairs of high turns and more are the high "
    "frequencies and stay, those below low are divided.",
)(lambda config: _mixed(1 - _share(config, _turns(config)).clamp(0, 1), config))
LLAMA.mistake(
    "圈数要按训练时的长度算，original_max_position_embeddings；你用了拉长以后的 max_position_embeddings。",
    "Turns are those of the training, so original_max_position_embeddings; you used the extended "
    "max_position_embeddings.",
)(
    lambda config: solutions.llama_frequencies(
        _changed(config, original_max_position_embeddings=config["max_position_embeddings"])
    )
)
LLAMA.mistake(
    "倍数就是配置里的 factor；你用 max_position_embeddings 除以原来的长度，另算了一个。",
    "The factor is the file's own; you worked one out from max_position_embeddings and the original length.",
)(lambda config: solutions.llama_frequencies(_changed(config, factor=2 * config["rope_scaling"]["factor"])))
LLAMA.mistake(
    "底数写死成了 10000：配置里的 rope_theta 才是。", "The base is fixed at 10000: it is rope_theta."
)(lambda config: solutions.llama_frequencies({**config, "rope_theta": 10000.0}))
LLAMA.mistake(
    "d 是一个头的宽度，hidden_size 除以头数；你用了整个 hidden_size。",
    "d is the width of one head, hidden_size over the number of heads; you used all of hidden_size.",
)(lambda config: solutions.llama_frequencies({**config, "num_attention_heads": 1}))
LLAMA.mistake(recurring.WITHOUT_2_PI)(
    lambda config: _mixed(_share(config, 2 * math.pi * _turns(config)).clamp(0, 1), config)
)
LLAMA.mistake(
    "忘了把份额夹在 0 和 1 之间：两头的对被推过了头。",
    "The share is not kept between 0 and 1: the pairs at either end are pushed too far.",
)(lambda config: _mixed(_share(config, _turns(config)), config))


def wavelengths_mixed(config: Config) -> Tensor:
    share, theta = _share(config, _turns(config)).clamp(0, 1), _theta(config)
    return 1 / (share / theta + (1 - share) * config["rope_scaling"]["factor"] / theta)


LLAMA.mistake(
    "你混合的是波长，或者频率的对数。要混合频率本身：γ·θ + (1−γ)·θ/factor。",
    "You mixed wavelengths, or logarithms. Mix the frequencies themselves: γ·θ + (1−γ)·θ/factor.",
)(
    wavelengths_mixed,
    lambda config: (
        _theta(config) * config["rope_scaling"]["factor"] ** (_share(config, _turns(config)).clamp(0, 1) - 1)
    ),
)
LLAMA.mistake(
    "中间少了过渡：圈数在两个数之间的，要按比例混合。",
    "There is no way between: pairs whose turns lie between the two numbers are mixed in proportion.",
)(
    lambda config: _mixed((_share(config, _turns(config)) > 0).double(), config),
    lambda config: _mixed((_share(config, _turns(config)) >= 1).double(), config),
)
LLAMA.mistake(
    "所有的对都除了 factor：那是位置插值。高频的对要保留。",
    "Every pair was divided by factor: position interpolation. High frequencies are kept.",
)(lambda config: _theta(config) / config["rope_scaling"]["factor"])
LLAMA.mistake(
    "低频要放慢，频率要除以 factor；你乘了。",
    "Low frequencies are slowed down, divided by factor; you multiplied.",
)(lambda config: solutions.llama_frequencies(_changed(config, factor=1 / config["rope_scaling"]["factor"])))
LLAMA.mistake(recurring.UNCHANGED)(_theta)
