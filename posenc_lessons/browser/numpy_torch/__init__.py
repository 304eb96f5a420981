"""The folder that the page puts on Python's path; its ``torch`` has array operations on NumPy."""
