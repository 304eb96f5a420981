"""Lines of code that must give the same with every torch: values, and gradients where there are any.

Each line is an expression in one namespace with ``torch``, ``nn``, ``F`` and the tensors of ``SETUP``. A name
of PyTorch that lessons or exercises use needs a line here (``test_calls.py`` says which are missing), and its
derivative is then compared too.
"""

SETUP = """
from copy import deepcopy
nn, F = torch.nn, torch.nn.functional
x = torch.arange(24.0).reshape(2, 3, 4) / 7 - 1.3
a = torch.cos(torch.arange(12.0)).reshape(3, 4) * 1.5
m = torch.tensor([[2.0, -1.0, 0.5], [0.25, 3.0, 1.0], [1.0, 0.0, 4.0]])
v = torch.tensor([0.3, -1.2, 2.5, 0.0])
n = torch.tensor([3, 1, 4, 1, 5, 0])
b = torch.tensor([True, False, True])
z = torch.complex(v, v.flip(0))
def learned(): return torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
def seeded(layer):
    with torch.no_grad():
        for at, each in enumerate(layer.parameters()):
            each.copy_((torch.arange(each.numel()) % 7 - 3.0).reshape(each.shape) / (5 + at))
    return layer.double().eval()
def stepped(optimiser):
    w = learned(); o = optimiser([w])
    for at in range(3):
        w.grad = None; (w ** 2).sum().backward(); o.step(); o.param_groups[0]["lr"] /= at + 1
    return w
def gradient(loss):
    w = learned(); loss(w).backward()
    return w.grad
class Cubed(torch.autograd.Function):  # with a wrong gradient, which shows whether that one is used
    forward = staticmethod(lambda x: x**3)
    setup_context = staticmethod(lambda ctx, inputs, output: ctx.save_for_backward(*inputs))
    backward = staticmethod(lambda ctx, gradient: 5 * ctx.saved_tensors[0] ** 2 * gradient)
REAL = [torch.bool, torch.int32, torch.int64, torch.float32, torch.float64]
WHOLE, FLOATING, ANY = REAL[1:], REAL[3:], [*REAL, torch.complex64, torch.complex128]
NARROW = [*ANY, torch.float16, torch.bfloat16]
few = torch.tensor([[0, 1, -2, 3], [5, -6, 1, 0], [2, 2, -4, 1]])
far = torch.tensor([[0.0, -0.0, torch.inf, -torch.inf], [torch.nan, 1e30, -1.5, 2.5], [0.5, -3.0, 7.0, 1.0]])
def module_with_buffers():
    module = nn.Module()
    module.register_buffer("counts", torch.arange(3))
    module.register_buffer("scale", torch.full((3,), 2.0), persistent=False)
    module.register_parameter("nothing", None)
    return module
def attempt(do, *tensors):
    try:
        return do(*tensors)
    except (RuntimeError, ValueError, IndexError, TypeError):
        return "refused"
def each(kinds, do, *tensors):  # of every type, and every pair of types
    types = [[kind] for kind in kinds]
    types = types if len(tensors) < 2 else [[one, two] for one in kinds for two in kinds]
    return [attempt(do, *(item.to(kind) for item, kind in zip(tensors, row))) for row in types]
def assigned(x, index, value):
    x[index] = value
    return x
def drawn(draw):
    generators = [torch.Generator().manual_seed(seed) for seed in (0, 3, 2**40 + 5)]
    return [[draw(generator) for _ in range(3)] for generator in generators]
def written_through_views(x):
    x.T[0].mul_(3), x[None][..., -1].mul_(2), x.reshape(-1)[:1].add_(1), x.view(1, *x.shape).neg_()
    x.detach().clamp_(max=5)
    return x.T.reshape(-1)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w, self.parts = nn.Parameter(torch.ones(2)), nn.ModuleList([nn.Linear(2, 2)])
    def forward(self, x): return self.parts[0](x * self.w)
"""

# One line for each name and keyword that the course uses.
CALLS = """
few >> 1, few << 2, few ^ few.flip(0)
torch.rand(2, dtype=torch.float64, generator=torch.Generator().manual_seed(3))
torch.sigmoid(a), torch.repeat_interleave(v, 2)
seeded(nn.Linear(4, 2, bias=False))(x.double())
torch.Size([2, 3]) == x.shape[:2]
type(x) is torch.Tensor
torch.float32, type(v).__name__
b.all(), (x > 0).all(dim=1)
x.amax(dim=1, keepdim=True)
x.amin(dim=(0, 2))
x.argmax(dim=-1)
x.argmin(dim=0)
v.bfloat16()
n.bincount(), n.bincount(minlength=8)
v.ceil()
x.chunk(2, dim=2)
z.conj()
v.cos()
x.device
x.dim()
m.max(dim=1).indices
v.int()
z.is_complex(), v.is_complex()
v.is_floating_point()
v[0].item()
str(x.layout)
(v.abs() + 1).log10()
(v.abs() + 1).log2()
b.clone().logical_and_(~b)
m.to_dense()
x.mean(), x.mean(dim=(0, 1)), x.mean(axis=1), x.mean(dim=-1, keepdim=True)
x.nbytes
x.ndim
v.new_zeros(2, requires_grad=True)
n.nonzero()
v.numpy().tolist()
n.remainder(2)
v.clone().requires_grad_()
v.round()
v.sign()
x.size(), x.size(1)
v.std(correction=0), v.std()
v.tanh()
n.unique(), torch.tensor([[1, 2], [1, 2], [0, 3]]).unique(dim=0)
v.var(), x.var(dim=-1, keepdim=True, correction=0), v.var(unbiased=False)
v.where(v > 0, torch.zeros(4))
torch.allclose(v, v + 1e-6, rtol=0, atol=1e-5, equal_nan=True)
torch.arange(2, 9, 3, dtype=torch.float64, device="cpu")
torch.tensor(1.0, dtype=torch.bfloat16) + 2 ** -9
torch.bincount(n, minlength=8)
torch.bucketize(torch.tensor([1, 2, 4]), torch.tensor([1, 2, 3]), right=True)
torch.cat([m, m], dim=1)
torch.cosine_similarity(m, m.flip(0), dim=-1)
torch.deg2rad(torch.tensor([90.0]))
isinstance(x.dtype, torch.dtype)
torch.einsum("ii", m)
torch.empty(2, 3).shape, torch.empty_like(x).shape
torch.exp(v)
torch.eye(2, 3, dtype=torch.float64, device="cpu")
torch.finfo(torch.float16).max, torch.finfo(torch.float32).eps
torch.full_like(v, 2.0)
v.to(torch.int64), n.to(torch.long)
torch.isclose(v, v + 1e-4, atol=1e-3)
torch.linalg.lstsq(m, m[:, :1], driver="gelsd").solution, torch.linalg.lstsq(m[:, :2], m).solution
[part.abs() for part in torch.linalg.qr(m)]
torch.linspace(0, 1, 5, dtype=torch.float64)
torch.logspace(0, 2, 3, dtype=torch.float64)
torch.manual_seed(5) and torch.rand(2)
torch.tensor([torch.nan]).isnan(), torch.pi
torch.manual_seed(0) and torch.empty(3).normal_()
torch.meshgrid(v, v[:2], indexing="ij")
n.unique(return_counts=True), few.unique(return_inverse=True), few.unique(dim=0, return_inverse=True)
nn.Dropout(0.5).eval()(v), F.dropout(v, 0.5, training=False)
seeded(nn.Embedding(4, 2, padding_idx=1, device="cpu"))(n[:4] % 4)
nn.LayerNorm(4)(x)
nn.Sequential(nn.ReLU(), nn.Identity())(v)
F.cross_entropy(m, torch.tensor([0, 2, 1])), F.cross_entropy(m, torch.tensor([0, 2, 1]), reduction="none")
F.interpolate(x[:1, None].double(), size=(5, 6), mode="bilinear", align_corners=True)
F.interpolate(x, size=7, mode="linear", align_corners=False)
F.rms_norm(x, (4,), eps=1e-6)
F.scaled_dot_product_attention(x, x, x, attn_mask=torch.ones(3, 3, dtype=torch.bool).tril())
F.softmax(v, 0), torch.relu(v)
nn.init.constant_(torch.empty(2), 3.0)
torch.manual_seed(0) and nn.init.normal_(torch.empty(3), std=0.5)
torch.manual_seed(0) and nn.init.xavier_normal_(torch.empty(2, 3))
torch.manual_seed(0) and nn.init.xavier_uniform_(torch.empty(2, 3))
torch.no_grad()(lambda: (learned() * 2).requires_grad)()
torch.ones(2, dtype=torch.int64, device="cpu"), torch.ones_like(n, dtype=torch.float32)
stepped(lambda w: torch.optim.Adam(w, lr=0.1))
stepped(lambda w: torch.optim.Adam(w, lr=0.1, eps=1e-2, weight_decay=0.1))
stepped(lambda w: torch.optim.AdamW(w, lr=0.1, weight_decay=0.2))
stepped(lambda w: torch.optim.AdamW(w, lr=0.1, eps=1e-2, betas=(0.8, 0.99)))
torch.zeros(2, device="cpu"), torch.full((2,), 1.5, device="cpu"), torch.tensor([1.0], device="cpu")
torch.empty(2, dtype=torch.float64, device="cpu").shape
torch.zeros_like(v, dtype=torch.float64, memory_format=torch.contiguous_format)
torch.empty_like(v, memory_format=torch.contiguous_format).shape
v.to(torch.float64, copy=True, memory_format=torch.contiguous_format)
v.clone().frac_(), m.clone().cumsum_(dim=0), v.clone().clamp_(min=0)
z.imag, torch.atleast_1d(torch.tensor(2.0)), str(torch.device("cpu")), torch.get_num_threads() > 0
torch.is_grad_enabled(), torch.is_autocast_enabled(), torch.compiler.is_compiling()
torch.inference_mode()(lambda: learned() * 2)()
F.scaled_dot_product_attention(x, x, x, dropout_p=0.0)
seeded(nn.RMSNorm(4))(x.double()), isinstance(torch.autograd.Function, type)
torch.outer(v, v), v.sub(v), (v / 7).round(decimals=1)
torch.rad2deg(v)
torch.randn(40, dtype=torch.float32, device="cpu", generator=torch.Generator().manual_seed(1))
torch.randn(3, 5, dtype=torch.complex128, generator=torch.Generator().manual_seed(1))
torch.random.fork_rng().__enter__() is None
torch.set_num_threads(1)
(torch.set_printoptions(precision=2, linewidth=60, sci_mode=False), str(v), \
torch.set_printoptions(precision=4, linewidth=80))
torch.tensor([1, 2], dtype=torch.float64, requires_grad=True)
torch.view_as_complex(m[:, :2].contiguous()), torch.view_as_real(z)
torch.zeros(2, dtype=torch.float64, requires_grad=True), torch.zeros_like(v)
"""

# More about derivatives, and about what is printed.
MORE = """
a + v, 2 + a, v - a, 1 - a, a * a[:, :1], a / (v * v + 1), 1 / (a * a + 1), (-a).abs()
(a * a) ** 1.5 + a ** 2 + a ** 3, (a * a + 1) ** v, 2 ** a, a % 0.7, a // 2
torch.maximum(a, v) - torch.minimum(a, a), torch.addcmul(a, v, a, value=0.5), torch.atan2(a, v * v + 1)
(a.sigmoid() * 0.9).acos(), a.expm1(), (a * a + 0.5).log1p(), a.frac(), a.neg()
a.clamp(-0.5, 0.5) + a.clamp(min=0), a.clamp(max=v), a.masked_fill(a > 0, v[0])
torch.where(a > 0, a, v)
a.softmax(dim=-1) + a.softmax(dim=0), a.double() * 2 + a.float()
(a / (a > 0)).nan_to_num(posinf=1.0, neginf=2.0) * a
a @ x.mT, x @ a.T, v @ x.mT, x @ v, v @ v, a.T @ a + a.mT @ a
torch.einsum("ij,bkj->bik", a, x), torch.einsum("ij,k->k", a, v), torch.einsum("ij,kj", a, a)
torch.einsum("...ij,kj->...ik", x, a)
torch.einsum("ij,ij->i", torch.complex(a, a * 2), torch.complex(a * 3, a)).abs()
a.sum() * a.sum(dim=0) + a.sum(dim=-1, keepdim=True), a.mean() * a.mean(dim=0), a.amax(dim=-1) * a.amin()
torch.cat([a, a]).amax(dim=0), a.max(dim=-1).values, a.min(dim=0, keepdim=True).values, a.max() - a.min()
a.sort(dim=-1, descending=True).values * torch.arange(4), a.cumsum(dim=0)
a.prod(dim=-1) + a.prod()
(y := torch.zeros(2, 4), torch.add(m[0, 0], v, out=y[1]), torch.mul(v, 2, out=y[0]), y)[1:]
a.cummax(dim=0)
a.diff(dim=0) * a.diff(n=2, dim=0).sum(), a.std(dim=-1) + a.var(), (a * 0).norm(dim=-1), a.norm(p=1)
a.norm(p=float("inf"))
a.reshape(4, 3) * a.view(-1, 3) + a.flatten().unflatten(0, (4, 3))
a[:, None].squeeze(1) * a.unsqueeze(-1).squeeze(-1)
x.permute(2, 0, 1) * x.movedim(-1, 0), a.expand(5, 3, 4) * a.expand_as(torch.zeros(2, 3, 4)).sum()
a.repeat(2, 3, 1)
a.repeat_interleave(2, dim=-1) * a.repeat_interleave(2).sum()
a.flip(0) * a.roll(1, -1) + torch.roll(a, (1, 2), (0, 1))
m.tril() * 2 + m.triu(1) - m.tril(-1) * m.triu(), a.unbind(dim=1)[0] * a.unbind(dim=1)[2]
a.split(1, dim=-1)[1] * a.split([1, 3], dim=-1)[0]
torch.stack([a, a, a * 2], dim=1), a.ravel() * a.T.ravel(), v.unbind()[2] * v
a[1:, ::2].sum() * a[0, 1] + a[..., None, -1], a[torch.tensor([0, 0, 2])] * a[:, torch.tensor([1, 1])].sum()
a[a > 0]
sum(row * number for number, row in enumerate(a)), a.gather(1, torch.tensor([[0, 0], [3, 1], [2, 2]]))
a.scatter(1, torch.tensor([[0], [3], [2]]), a[:, :1] * 2)
a.scatter_add(1, torch.tensor([[0, 0], [3, 1], [2, 2]]), a[:, :2])
a.index_select(0, torch.tensor([2, 0, 2])), a.index_add(0, torch.tensor([2, 0, 2]), a)
a.index_fill(1, torch.tensor([1, 3]), 2.0)
a.index_add(0, torch.tensor([2, 0]), a[:2], alpha=0.5), m.diagonal() * m.diagonal(1).sum()
torch.diag(a[:, :3], 1), a * a.detach()
(y := torch.zeros(3, 4, dtype=a.dtype), y.__setitem__(0, v), y.__setitem__((slice(1, None), slice(2)), \
a[1:, 2:] * 2), y * y)[3]
(y := a * 1, y.__iadd__(v), y.__imul__(v), y)[3], (y := a * 1, s := y.sum(), y.mul_(3), s * y)[3]
(a * 1).masked_fill_(a > 0, 0.5) * a, F.relu(a * 2, inplace=True) * 3, (a * 1).fill_(3.0) + (a * 2).zero_()
torch.zeros(3, dtype=a.dtype).fill_(a.sum()) * torch.arange(3)
(a * 1).scatter_(1, torch.tensor([[0], [3], [2]]), a[:, :1])
(a * 1).scatter_add_(1, torch.tensor([[0, 0], [3, 1], [2, 2]]), a[:, :2])
torch.zeros(4, dtype=a.dtype).copy_(v) * v
F.linear(x, a, a[:, 0]), F.layer_norm(x, (4,), v, v * 2), F.layer_norm(x, (3, 4)), F.rms_norm(x, (4,), v)
F.embedding(torch.tensor([[0, 2], [2, 2]]), a)
F.embedding(torch.tensor([[0, 2], [2, 2]]), a, padding_idx=2)
F.cross_entropy(a, torch.tensor([0, 3, 3]))
F.cross_entropy(x.transpose(0, 1), torch.tensor([[0, 1, 1, 0]] * 3))
F.cross_entropy(a, torch.tensor([0, 9, 3]), ignore_index=9)
F.cross_entropy(a, torch.tensor([0, 1, 3]), reduction="sum")
F.normalize(a, dim=-1), F.cosine_similarity(a, a * 2 + 1, dim=-1), F.one_hot(n)
F.softmax(a)
F.pad(a, (1, 2, -1, 1), value=0.5) * 2
a.topk(2, dim=1).values
F.interpolate(x, size=5), F.interpolate(x, scale_factor=1.7, mode="linear")
F.interpolate(x[None], size=(2, 7), mode="bicubic")
F.interpolate(x[None], size=2, mode="bilinear", align_corners=True)
torch.view_as_real(torch.view_as_complex(a.unflatten(-1, (2, 2))) * torch.polar(a.exp(), a)[:, :2])
(torch.complex(a, a) ** 2).real
F.scaled_dot_product_attention(x, x * 2, x, is_causal=True)
F.scaled_dot_product_attention(x, x, x, attn_mask=a[:, :3])
F.scaled_dot_product_attention(x[None], x[None, :1], x[None, :1], enable_gqa=True, scale=0.3)
(y := a * 2) * y + y.sin() * a, torch.no_grad()(lambda: a.exp())() * a
a.masked_fill(a > 1, float("nan")).nanmean(dim=0)
m.logsumexp(dim=0), m.log_softmax(dim=0), a.square() + a.reciprocal() + a.abs().sqrt()
torch.block_diag(m.detach(), m.detach())
gradient(lambda w: Cubed.apply(w).sum()), gradient(lambda w: (w[:, None] @ w[None] + w[0]).sum())
gradient(lambda w: (w.bfloat16() * 1.7).float().sum())
(w := learned(), y := (w * w).sum(), y.backward(retain_graph=True), y.backward(), w.grad)[4:]
(w := learned(), (w * w).backward(gradient=torch.full_like(w, 3.0)), w.grad)[2]
[name for name, _ in Net().named_parameters()], list(Net().state_dict()), len(list(Net().modules()))
repr(Net())
(p := Net().double().eval(), p.training, p.parts[0].training, str(p.w.dtype), p.train().parts[0].training)[1:]
(p := Net(), setattr(p, "note", 1), delattr(p, "note"), hasattr(p, "note"))[3]
(p := Net(), q := nn.ModuleList([p, nn.Identity(), p]), len(q), len(list(q.modules())))[2:]
(p := Net(), q := deepcopy(nn.ModuleList([p, p])), q[0] is q[1], q[0].w is p.w, torch.equal(q[0].w, p.w))[2:]
(p := seeded(Net()), h := p.register_forward_hook(lambda module, given, out: out * 2 + len(given)), \
p(v[:2].double()), h.remove(), p(v[:2].double()))[2:]
(p := module_with_buffers().double(), p.counts, p.scale, p.nothing, list(p.state_dict()))[1:]
(p := Net(), setattr(p.w, "data", p.w.data * 3), setattr(p, "w", nn.Parameter(p.w.detach() + 1)), p.w)[3]
torch.manual_seed(4) and [*nn.Linear(5, 7).parameters(), *nn.Embedding(3, 6).parameters(), F.dropout(v, 0.4)]
[str(torch.full((k,), 10 ** d, dtype=torch.int32)) for k in range(1, 30) for d in range(6)]
str(m / 3), str(m * 1e-5), str(m * 1e9), str(x.bool()), str(z), str(torch.arange(2000))
str(torch.zeros(2, 0)), repr(x[0].half())
"""

# Types that are mixed, shapes that broadcast, numbers that are infinite, places that do not exist.
TYPES = """
torch.atan2(torch.arange(3), torch.ones(3, dtype=torch.long))
each(REAL, lambda w: [w.sin(), w.exp(), w.sigmoid(), w.isfinite()], few)
each(WHOLE, lambda w: [w.abs().log(), w.abs(), w.relu(), w.floor()], few)
each(WHOLE, lambda w: [w.clamp(-1, 2), w.clamp(min=0), w.clamp(max=1.5)], few)
far.exp(), far.sigmoid(), far.isfinite(), far.abs(), far.floor(), far.frac(), far.clamp(-1, 2)
far.clone().neg_().sqrt_(), far.equal(far.clone()), far * 0, far - far, far == far
each(REAL[:3], lambda w: ~w, few), each(ANY, lambda w: [w + 2, w * 0.5, w / 2, w == 1, 2.5 * w], few)
each(ANY, lambda w, y: w + y, few, few[:1]), each(ANY, lambda w, y: w * y, few[:, :1], few[1])
each(ANY, lambda w, y: w / (y * y + 1), few, few[0]), each(ANY, lambda w, y: w + y, few, few[0, 1])
each(ANY[1:], lambda w, y: [w - y, 3 - w], few, few[:1]), each(ANY, lambda w, y: w == y, few, few[:1])
each(REAL, lambda w, y: [w < y, w >= y, torch.maximum(w, y), torch.minimum(w, y)], few, few.flip(0))
each(REAL[:3], lambda w, y: [w & y, w | y], few, few.flip(0)), (few // 3, few % 3, few // 2.5, few % -2.5)
each(WHOLE, lambda w, y: [w // (y.abs() + 1), w % (y.abs() + 1)], few, few.flip(0))
each(FLOATING, lambda w, y: [w.abs() ** 2, 2.5 ** y, w.abs() ** y.abs()], far, few)
far < far.T.reshape(3, 4), torch.maximum(far, few), far.nan_to_num(), torch.nan_to_num(far, nan=-1.0)
each(WHOLE, lambda w, y: w.clone().add_(y), few, few[:1])
each(REAL, lambda w, y: w.clone().__iadd__(y), few, few[0])
each(WHOLE, lambda w, y: [torch.where(w > 0, w, y), torch.where(w > 0, 1.5, y)], few, few.flip(0))
torch.where(few > 0, 200.0, -200.0), torch.where(few > 0, 3, 0), far.masked_fill(far > 0, -torch.inf)
each(FLOATING, lambda w: w.clone().addcmul_(w, w.flip(0), value=2), few), few.float().copy_(few.double() / 3)
each(FLOATING, lambda w: [w.softmax(-1), w.softmax(dim=0), torch.cat([w, w.double()])], few)
attempt(torch.matmul, few.float(), few.double().mT), torch.allclose(v, v + 1e-9, atol=1e-6)
each(ANY, lambda w: [w.sum(), w.sum(-1), w.sum(dim=(0,), keepdim=True)], few)
each(ANY, lambda w: [w.mean(), w.mean(dim=-1)], few)
each(REAL, lambda w: [w.all(), w.any(dim=-1, keepdim=True), w.max(), *w.aminmax(), w.amax(dim=0)], few)
each(REAL, lambda w: [w.cumsum(0), w.cumsum(dim=-1), w.diff(), w.diff(dim=-1, append=w[:, -1:])], few)
few.max(0), few.max(-1, True), few.argmin(0), few.argmin(-1, keepdim=True), few.cummax(dim=0), few.diff(n=2)
each(WHOLE, lambda w: [w.argsort(dim=0, stable=True, descending=True), *w.sort(dim=1, stable=True)], few)
[attempt(few.gather, 1, few + by) for by in (0, 6)]
[attempt(few.scatter, 1, few % 4 + by, 7) for by in (0, 1, -1)], attempt(few.index_select, 1, n)
torch.zeros(3, 4, dtype=torch.complex128).scatter_add_(1, few % 4, few * torch.tensor(1 + 2j).cdouble())
attempt(F.embedding, few, m), F.embedding(few % 3, m)
few[torch.tensor([0, -1, 0])], few[[0, 0]], few[:, ::2], few[..., n[:1]], few[few > 0], few[n[1]]
few[-1:, None], few[n[1:2, None], n[[1, 3]]], few[None, 0], len(few), [*few]
assigned(assigned(far.clone(), (..., slice(1, None)), 3), far > 1, 0)
attempt(assigned, v.clone(), v > 0, v[v > 0].double()), written_through_views(few.double())
attempt(few.mT.view, -1), attempt(few.reshape, 13), few.T.reshape(-1), few.flatten(0, -1)
few[:, :1].expand_as(few), few[None].expand(2, -1, -1), few.split(2, dim=0), few.unbind(-1)
few.stride(), few.mT.stride(-1), few[..., 1:].storage_offset(), few.mT.is_contiguous(), few.roll(-2, dims=0)
each(REAL, lambda w: [w.double(), w.long(), w.bool(), w.to("cpu", torch.float32), w.to(torch.int32)], few)
attempt(bool, few), float(few.sum()), bool(few.amax() > 0), int(few[0, 1]), range(5)[few[0, 1]]
[str(torch.promote_types(one, two)) for one in NARROW for two in NARROW]
[drawn(lambda g: torch.randn(size, generator=g)) for size in (3, 15, 16, 17, 35)]
[drawn(lambda g: torch.randperm(size, generator=g)) for size in (0, 1, 40)]
drawn(lambda g: torch.rand(30, generator=g)), drawn(lambda g: torch.randint(-2, 9, (4, 5), generator=g))
"""


def lines(text: str) -> list[str]:
    """Return the lines of ``text``; a string of Python joins those that end in a backslash."""
    return text.strip().splitlines()
