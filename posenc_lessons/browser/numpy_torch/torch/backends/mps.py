"""Apple's GPU, which the page does not have."""


def is_available() -> bool:
    return False
