"""The cards of the explorers: where each number of a picture comes from."""
