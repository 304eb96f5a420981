"""Bilingual lessons and live explorers on how Transformers know order.

Nothing is imported here, so that ``posenc_lessons.encodings`` loads torch and nothing else.
"""

__version__ = "0.1.0"
