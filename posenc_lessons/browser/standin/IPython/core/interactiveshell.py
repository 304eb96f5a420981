class InteractiveShell:
    """What a notebook's cells run in; there is none."""
