"""A larger class on one server: JupyterHub with these lessons. ``jupyterhub_config.py`` says how."""
