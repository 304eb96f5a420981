"""The exercises of lesson 08."""

from posenc_lessons.exercises.longer_than_trained.llama import LLAMA
from posenc_lessons.exercises.longer_than_trained.measuring import BEYOND
from posenc_lessons.exercises.longer_than_trained.pairs import LARGEST_BASE, REACH
from posenc_lessons.exercises.longer_than_trained.squeezing import SQUEEZE

check_beyond = BEYOND
check_largest_base = LARGEST_BASE
check_llama_frequencies = LLAMA
check_reach = REACH
check_squeeze = SQUEEZE
