"""Modules: parameters, buffers and parts by name."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from .._printing import said
from .._tape import paused
from .._tensor import Tensor
from .._types import BFLOAT16, DTYPES, dtype

_KINDS = ("_parameters", "_buffers", "_modules")


class Parameter(Tensor):
    """A tensor that is registered by the module to which it is assigned."""

    def __init__(self, data: Any, requires_grad: bool = True) -> None:
        super().__init__(data.array if isinstance(data, Tensor) else data)
        self.requires_grad = requires_grad
        if isinstance(data, Tensor):
            self._as(data)

    def __repr__(self) -> str:
        return f"Parameter containing:\n{said(self)}"


class _Handle:
    def __init__(self, hooks: list[Callable[..., Any]], hook: Callable[..., Any]) -> None:
        self._hooks, self._hook = hooks, hook

    def remove(self) -> None:
        self._hooks.remove(self._hook)


class Keys(NamedTuple):
    """The names that a state lacks, and those that the module does not have."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        return "<All keys matched successfully>" if not any(self) else tuple.__repr__(self)


def _quoted(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


class Module:
    """The base class of modules: calling a module calls ``forward``."""

    training: bool

    def __init__(self) -> None:
        for kind in _KINDS:
            object.__setattr__(self, kind, {})
        self._hooks: list[Callable[..., Any]] = []
        self._unsaved: set[str] = set()
        self.training = True

    def __setattr__(self, name: str, value: Any) -> None:
        stored = self.__dict__
        for kind, belongs in (("_parameters", Parameter), ("_modules", Module)):
            if isinstance(value, belongs):
                if kind not in stored:
                    raise AttributeError("cannot assign parts before Module.__init__() call")
                for item in (stored, *(stored[other] for other in _KINDS)):
                    item.pop(name, None)
                stored[kind][name] = value
                return
        for kind in _KINDS:
            if name in stored.get(kind, ()):
                stored[kind][name] = value
                return
        object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        for kind in _KINDS:
            if name in (stored := self.__dict__.get(kind, {})):
                return stored[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'", name=name, obj=self)

    def __delattr__(self, name: str) -> None:
        for kind in _KINDS:
            if self.__dict__[kind].pop(name, self) is not self:
                return
        object.__delattr__(self, name)

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        self._buffers[name] = tensor
        (self._unsaved.discard if persistent else self._unsaved.add)(name)

    def register_forward_hook(self, hook: Callable[..., Any]) -> _Handle:
        """Call ``hook(module, inputs, output)`` after each ``forward``; its result replaces the output."""
        self._hooks.append(hook)
        return _Handle(self._hooks, hook)

    def __call__(self, *inputs: Any, **named: Any) -> Any:
        output = self.forward(*inputs, **named)
        for hook in list(self._hooks):
            instead = hook(self, inputs, output)
            output = output if instead is None else instead
        return output

    def named_modules(self, memo: set[int] | None = None, prefix: str = "") -> Iterator[tuple[str, Module]]:
        """Yield this module and all modules in it, each once."""
        visited = set() if memo is None else memo
        if id(self) in visited:
            return
        visited.add(id(self))
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(visited, f"{prefix}.{name}" if prefix else name)

    def modules(self) -> Iterator[Module]:
        return (module for _, module in self.named_modules())

    def children(self) -> Iterator[Module]:
        return (module for module in self._modules.values() if module is not None)

    def named_children(self) -> Iterator[tuple[str, Module]]:
        return ((name, module) for name, module in self._modules.items() if module is not None)

    def _named(self, kind: str) -> Iterator[tuple[str, Any]]:
        """Yield each parameter or buffer once, with its path."""
        visited = set()
        for prefix, module in self.named_modules():
            for name, item in module.__dict__[kind].items():
                if item is not None and id(item) not in visited:
                    visited.add(id(item))
                    yield f"{prefix}.{name}" if prefix else name, item

    def named_parameters(self) -> Iterator[tuple[str, Parameter]]:
        return self._named("_parameters")

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        if not recurse:
            return (item for item in self._parameters.values() if item is not None)
        return (parameter for _, parameter in self.named_parameters())

    def named_buffers(self) -> Iterator[tuple[str, Tensor]]:
        return self._named("_buffers")

    def buffers(self) -> Iterator[Tensor]:
        return (buffer for _, buffer in self.named_buffers())

    def requires_grad_(self, requires_grad: bool = True) -> Module:
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self) -> None:
        for parameter in self.parameters():
            parameter.grad = None

    def _kept(self, prefix: str = "") -> Iterator[tuple[str, Tensor]]:
        """Yield the entries of a state: parameters, saved buffers, then those of the parts."""
        for name, item in (*self._parameters.items(), *self._buffers.items()):
            if item is not None and name not in self._unsaved:
                yield prefix + name, item
        for name, module in self.named_children():
            yield from module._kept(f"{prefix}{name}.")

    def state_dict(self) -> OrderedDict[str, Tensor]:
        return OrderedDict((name, item.detach()) for name, item in self._kept())

    def load_state_dict(self, state_dict: Mapping[str, Tensor], strict: bool = True) -> Keys:
        own = dict(self._kept())
        missing = [name for name in own if name not in state_dict]
        unexpected = [name for name in state_dict if name not in own]
        wrong = [f"Missing key(s) in state_dict: {_quoted(missing)}. "] if missing and strict else []
        if unexpected and strict:
            wrong = [f"Unexpected key(s) in state_dict: {_quoted(unexpected)}. ", *wrong]
        for name, item in own.items():
            if name in state_dict and state_dict[name].shape != item.shape:
                wrong.append(
                    f"size mismatch for {name}: copying a param with shape {state_dict[name].shape} from "
                    f"checkpoint, the shape in current model is {item.shape}."
                )
        with paused():
            for name, item in own.items():
                if name in state_dict and state_dict[name].shape == item.shape:
                    item.copy_(state_dict[name].to(item.dtype))
        if wrong:
            listed = "\n\t".join(wrong)
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{listed}")
        return Keys(missing, unexpected)

    def extra_repr(self) -> str:
        return ""

    def __repr__(self) -> str:
        lines = [line for line in self.extra_repr().split("\n") if line]
        parts = [f"({name}): " + repr(part).replace("\n", "\n  ") for name, part in self._modules.items()]
        name = type(self).__name__
        if not parts:
            return f"{name}({lines[0] if lines else ''})"
        return f"{name}(\n  " + "\n  ".join([*lines, *parts]) + "\n)"

    def train(self, mode: bool = True) -> Module:
        for module in self.modules():
            module.training = mode
        return self

    def eval(self) -> Module:
        return self.train(False)

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Module:
        if recurse:
            for module in self.children():
                module._apply(fn)
        for parameter in self._parameters.values():
            if parameter is not None:
                with paused():
                    parameter.data = fn(parameter)
        for name, buffer in self._buffers.items():
            self._buffers[name] = None if buffer is None else fn(buffer)
        return self

    def to(self, *to: Any, device: Any = None, dtype: Any = None) -> Module:
        """Move everything to ``device``, and floating numbers to ``dtype``; return this module."""
        kinds, places = _sorted((*to, device, dtype))

        def moved(x: Tensor) -> Tensor:
            return x.to(*places, *(kinds if x.is_floating_point() else ()))

        return self._apply(moved)


for _name, _kind in {"double": "float64", "float": "float32", "half": "float16"}.items():
    setattr(Module, _name, lambda self, _kind=DTYPES[_kind]: self.to(_kind))
setattr(Module, "bfloat16", lambda self: self.to(BFLOAT16))  # noqa: B010
setattr(Module, "cpu", lambda self: self.to("cpu"))  # noqa: B010


def _sorted(arguments: Iterable[Any]) -> tuple[list[Any], list[Any]]:
    named = [item for item in arguments if item is not None]
    kinds = [item for item in named if isinstance(item, dtype)]
    return kinds, [item for item in named if not isinstance(item, dtype)]
