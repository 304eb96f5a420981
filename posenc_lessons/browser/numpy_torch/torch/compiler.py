"""Compiling, which nothing does here."""


def is_compiling() -> bool:
    return False
