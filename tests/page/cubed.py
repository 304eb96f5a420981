"""A Function whose gradient shows that it is used."""

from __future__ import annotations

from typing import Any


def cubed(t: Any, x: Any, at_once: bool = False) -> Any:
    """Return x³ by a Function with the wrong gradient 5·x², which shows whether that one is used."""

    def back(ctx: Any, gradient: Any) -> Any:
        (saved,) = ctx.saved_tensors
        return 5 * saved**2 * gradient

    def keep_and_cube(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x**3

    if at_once:
        names = {"forward": staticmethod(keep_and_cube)}
    else:
        names = {
            "forward": staticmethod(lambda x: x**3),
            "setup_context": staticmethod(lambda ctx, inputs, output: ctx.save_for_backward(*inputs)),
        }
    return type("Cubed", (t.autograd.Function,), {**names, "backward": staticmethod(back)}).apply(x)
