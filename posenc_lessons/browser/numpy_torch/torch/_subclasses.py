"""Tensors without numbers, which nothing here makes."""


class FakeTensor: ...
