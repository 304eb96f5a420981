"""The census of position encodings in transformers' models: read by the syntax tree, and probed by
numbers."""
