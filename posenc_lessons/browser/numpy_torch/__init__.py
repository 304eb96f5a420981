"""The page puts this folder on its path: it holds ``torch``, array operations on NumPy."""
