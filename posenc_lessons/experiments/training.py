"""Train a small model on a task, watch the training, and stop it at any time."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from tqdm.auto import tqdm

from posenc_lessons.encodings.arguments import number, whole_number
from posenc_lessons.experiments.tasks.pair import PairTask
from posenc_lessons.experiments.tasks.task import Task
from posenc_lessons.language import BilingualValueError


@dataclass
class History:
    """Loss and accuracy of each step, on a new batch each time.

    ``loss[t]`` (mean cross-entropy in nats) and ``accuracy[t]`` (0 to 1) are measured with the weights before
    update t. ``best_step`` is the t of the lowest loss: at the end the model has the weights of that step.
    """

    loss: list[float] = field(default_factory=list)
    accuracy: list[float] = field(default_factory=list)
    best_step: int = 0
    interrupted: bool = False

    def record(self, loss: float, accuracy: float) -> bool:
        """Add one step; return whether its loss is the lowest so far. ValueError if it is not finite."""
        step = len(self.loss)
        if not math.isfinite(loss):
            raise BilingualValueError(
                f"第 {step} 步的损失变成了 {loss}：请把 learning_rate 调小一些",
                f"the loss became {loss} at step {step}: try a smaller learning_rate",
            )
        self.loss.append(loss)
        self.accuracy.append(accuracy)
        if loss < self.loss[self.best_step]:
            self.best_step = step
        return self.best_step == step


def train(
    model: nn.Module,
    task: Task | PairTask,
    *,
    steps: int,
    batch_size: int = 64,
    length: int = 32,
    learning_rate: float = 1e-2,
    seed: int = 0,
    device: torch.device | str = "cpu",
    progress: bool = True,
    keep_going: Callable[[History], bool] | None = None,
) -> History:
    """Train ``model(tokens [B, L]) -> logits [B, L, n_answers]`` with Adam, in place.

    For a ``PairTask`` the call is ``model(source [B, S], target_so_far [B, T]) -> logits [B, T,
    target_vocab]``. If a source is padded, the model also gets ``source_real=`` [B, S], False at padding.
    (Otherwise a model learns to read padding as text, and fails with more or less padding.)

    The learning rate climbs during the first tenth of the steps and then falls to zero along a cosine. The
    same seed gives the same batches and the same dropout; training starts from the model's present weights.
    Training stops early on Ctrl-C (■ in Jupyter), or when ``keep_going(history)``, which is called after each
    step, returns False; the model then has the best weights so far. It is left in eval mode, on ``device``.

    Raises:
        ValueError: steps, batch_size or length below 1, learning_rate not above 0, or a loss that is not
            finite (the model then has the best weights so far).
    """
    steps = whole_number("steps", steps, 1)
    learning_rate = number("learning_rate", learning_rate, above=0)
    device = torch.device(device)
    model.to(device).train()
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    batches = torch.Generator().manual_seed(seed)
    history, best = History(), _copy(model)
    bar = tqdm(total=steps, desc=task.name, disable=not progress)
    with torch.random.fork_rng([device] if device.type == "cuda" else []), bar:
        torch.manual_seed(seed)
        try:
            for step in range(steps):
                loss, right = _loss_and_accuracy(model, task, batch_size, length, batches, device)
                if history.record(loss.item(), right):
                    best = _copy(model)
                optimizer.zero_grad()
                loss.backward()
                for group in optimizer.param_groups:
                    group["lr"] = learning_rate * _share_of_rate(step, steps)
                optimizer.step()
                bar.update()
                bar.set_postfix(loss=f"{history.loss[-1]:.3f}", accuracy=f"{right:.0%}", refresh=False)
                if keep_going is not None and not keep_going(history):
                    history.interrupted = True
                    break
        except KeyboardInterrupt:
            history.interrupted = True
            steps_made, best_step = len(history.loss), history.best_step
            print(
                f"停在第 {steps_made} 步（共 {steps} 步），模型保留目前最好的权重，即第 {best_step} 步的\n"
                f"Stopped after {steps_made} of {steps} steps; "
                f"the model keeps its best weights so far, of step {best_step}"
            )
        finally:
            model.load_state_dict(best)
            model.eval()
    return history


@torch.no_grad()
def accuracy(
    model: nn.Module,
    task: Task | PairTask,
    length: int,
    *,
    from_position: int = 0,
    batch_size: int = 256,
    seed: int = 1,
) -> float:
    """Return the share of right answers, 0 to 1, on ``batch_size`` new sequences of ``length`` tokens.

    For a ``PairTask`` the answers are single characters, each predicted after the right ones before it.

    Only positions from ``from_position`` on are counted. The model is tested in eval mode and then put
    back into its former mode.
    """
    inputs, targets, counted = task.batch(batch_size, length, torch.Generator().manual_seed(seed))
    counted = counted & (torch.arange(targets.shape[1]) >= whole_number("from_position", from_position, 0))
    if not counted.any():
        raise BilingualValueError(
            f"from_position 之后必须还有可计的位置（长度 {length}），收到 {from_position}",
            f"from_position must leave something to count in length {length}; got {from_position}",
        )
    device = next((weights.device for weights in model.parameters()), torch.device("cpu"))
    was_training = model.training
    model.eval()
    try:
        guesses = _logits(model, inputs, device).argmax(dim=-1).cpu()
    finally:
        model.train(was_training)
    return (guesses == targets)[counted].double().mean().item()


def _loss_and_accuracy(
    model: nn.Module,
    task: Task | PairTask,
    batch_size: int,
    length: int,
    batches: torch.Generator,
    device: torch.device,
) -> tuple[Tensor, float]:
    inputs, targets, counted = task.batch(batch_size, length, batches)
    counted = counted.to(device)
    logits, targets = _logits(model, inputs, device)[counted], targets.to(device)[counted]
    right = (logits.detach().argmax(dim=-1) == targets).float().mean().item()
    return F.cross_entropy(logits, targets), right


def _logits(model: nn.Module, inputs: Tensor | tuple[Tensor, ...], device: torch.device) -> Tensor:
    """Return the model's logits for tokens, or for a source, which may be padded, and the target so far."""
    if not isinstance(inputs, tuple):
        return model(inputs.to(device))
    source, so_far = (sequence.to(device) for sequence in inputs)
    real = source != PairTask.pad
    return model(source, so_far) if real.all() else model(source, so_far, source_real=real)


def _share_of_rate(step: int, steps: int) -> float:
    climb = max(steps // 10, 1)
    if step < climb:
        return (step + 1) / climb
    return 0.5 * (1 + math.cos(math.pi * (step - climb) / max(steps - climb, 1)))


def _copy(model: nn.Module) -> dict[str, Tensor]:
    return {name: value.detach().clone() for name, value in model.state_dict().items()}
