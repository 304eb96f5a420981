"""A class that writes code: JupyterHub, with a JupyterLab for each learner (``hub``)."""
