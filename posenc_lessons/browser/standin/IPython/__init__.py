"""There is no notebook in a page without a kernel. ipywidgets asks for one when it is imported."""

version_info = (8, 0, 0)


def get_ipython() -> None:
    return None
