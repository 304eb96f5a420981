"""The exercises of lesson 08."""

from posenc_lessons.exercises.longer_than_trained import measuring, pairs, squeezing

check_beyond = measuring.BEYOND
check_reach = pairs.REACH
check_squeeze = squeezing.SQUEEZE
