"""A class: the explorers' page for thirty at once, and where that is not enough, JupyterHub (``hub``)."""
