"""Reasons why some cells do not run over the page's torch, or print something else than is committed."""

NOT_IN_PAGE = "it runs other libraries, which the page lacks"
LAST_DIGIT = "NumPy rounds exp and sums of float32 otherwise in the last digit"
TRAINED = "it trains for 400 steps, and the last digits of float32 lead to other weights: 48 of 50 for 50"
ONE_DEVICE = "it pretends another device, and the page's torch knows the CPU only"
KEPT_BYTES = "it counts the bytes that PyTorch keeps for going back"

DIFFERING: dict[str, str] = {
    "02_sinusoidal/log-space-rounding": LAST_DIGIT,
    "05_rotary/in-the-wild-measured": NOT_IN_PAGE,
    "06_cope/cost-measured": KEPT_BYTES,
    "07_transformer/masks-renormalised": LAST_DIGIT,
    "07_transformer/bug-softmax-evidence": LAST_DIGIT,
    "07_transformer/bug-scale-evidence": ONE_DEVICE,
    "09_whose_position/packing-transformers": NOT_IN_PAGE,
    "09_whose_position/bug-temperature-log": NOT_IN_PAGE,
    "solutions/07_transformer/capstone": TRAINED,
    "solutions/02_sinusoidal/table-wrong": LAST_DIGIT,
    "questions/extrapolation/code": LAST_DIGIT,
}
