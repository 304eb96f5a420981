"""The exercises of lesson 08."""

from posenc_lessons.exercises.longer_than_trained import llama, measuring, pairs, squeezing

check_beyond = measuring.BEYOND
check_llama_frequencies = llama.LLAMA
check_reach = pairs.REACH
check_squeeze = squeezing.SQUEEZE
