"""Other devices than the processor, of which there are none."""


def is_available() -> bool:
    return False
