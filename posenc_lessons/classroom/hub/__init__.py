"""A larger class on one server: JupyterHub with these lessons, set up by ``jupyterhub_config.py``."""
