"""A line of code for each row of the contract, which must give the same with every torch.

The lines run in one namespace with ``torch`` and the tensors of ``SETUP``; the result of a line is the value
of its expression. ``test_contract.py`` finds rows and keywords that no line uses.
"""

from __future__ import annotations

NAMES = "import torch\nfrom torch import nn\nfrom torch.nn import functional as F\n"
SETUP = """
nn, F = torch.nn, torch.nn.functional
x = torch.arange(24.0).reshape(2, 3, 4) / 7 - 1.3
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
def stepped(optimiser, schedule=None):
    w = learned(); o = optimiser([w]); s = schedule and schedule(o)
    for _ in range(3):
        w.grad = None; (w ** 2).sum().backward(); o.step(); s and s.step()
    return w
def gradient(loss):
    w = learned(); loss(w).backward()
    return w.grad
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w, self.parts = nn.Parameter(torch.ones(2)), nn.ModuleList([nn.Linear(2, 2)])
    def forward(self, x): return self.parts[0](x * self.w)
"""

CALLS = """
torch.rand(2, generator=torch.Generator().manual_seed(3))
torch.LongTensor([1, 2])
torch.Size([2, 3]) == x.shape[:2]
type(x) is torch.Tensor
m.T
torch.float32, type(v).__name__
x.abs()
(v / 3).acos()
b.all(), (x > 0).all(dim=1)
x.amax(dim=1, keepdim=True)
x.amin(dim=(0, 2))
b.any()
x.argmax(dim=-1)
x.argmin(dim=0)
v.argsort()
gradient(lambda w: (w * w).sum())
v.bfloat16()
n.bincount()
v.bool()
v.ceil()
x.chunk(2, dim=2)
x.clamp(min=-0.5, max=1)
v.clone()
z.conj()
m.T.contiguous()
torch.zeros(3).copy_(m[0])
v.cos()
x.cummax(dim=2)
x.cumsum(dim=1)
v.data
x.data_ptr() == x.data_ptr()
learned().detach()
x.device
m.diagonal()
m.diagonal_scatter(torch.zeros(3), dim1=0, dim2=1)
x.diff(n=2, dim=1)
x.dim()
v.clone().div_(2)
v.double()
x.dtype
v.exp()
v[:3, None].expand(3, 2)
v[:3, None].expand_as(m)
torch.zeros(2).fill_(3)
x.flatten(), x.flatten(1)
x.flip(0)
n.float()
v.floor()
m.gather(1, torch.tensor([[0], [2], [1]]))
gradient(lambda w: (w ** 3).sum())
v.half()
z.imag
torch.zeros(3, 3).index_add(0, torch.tensor([0, 0, 2]), m)
m.index_fill(1, torch.tensor([1]), 9.0)
torch.zeros(3).index_put((torch.tensor([1, 1]),), torch.tensor([2.0, 3.0]), accumulate=True)
m.index_select(1, torch.tensor([2, 0]))
m.max(dim=1).indices
v.int()
z.is_complex(), v.is_complex()
v.is_floating_point()
(1 / v).isfinite()
(v / v).isnan()
v[0].item()
str(x.layout)
(v.abs() + 1).log()
(v.abs() + 1).log10()
(v.abs() + 1).log2()
x.log_softmax(dim=-1)
b.clone().logical_and_(~b)
x.logsumexp(dim=-1, keepdim=True)
v.long()
x.mT
m.masked_fill(m > 1, 0.0)
m.clone().masked_fill_(m < 0, 7.0)
m.max(), m.max(dim=0)
x.mean(), x.mean(dim=(0, 1)), x.mean(axis=1), x.mean(dim=-1, keepdim=True)
v.median()
v.min()
(1 / v).nan_to_num(posinf=5.0)
torch.tensor([[1.0, float("nan")], [2.0, 4.0]]).nanmean(dim=0)
x.nbytes
x.ndim
v.new_zeros(2, requires_grad=True)
n.nonzero()
x.norm(), x.norm(dim=-1, keepdim=True)
x.numel()
v.numpy().tolist()
x.permute(2, 0, 1)
m.pinverse().round(decimals=4)
v.abs().pow(1.5)
z.real
m[0].reciprocal()
v.relu()
n.remainder(2)
v.repeat(2, 2)
m.repeat_interleave(2, dim=0)
v.requires_grad
v.clone().requires_grad_()
x.reshape(4, -1)
x.roll(1, dims=2), v.roll(2)
v.round()
m.abs().add(1).rsqrt()
torch.zeros(2, 3).scatter_(1, torch.tensor([[2], [0]]), 5.0)
torch.zeros(3).scatter_add(0, torch.tensor([1, 1, 2]), m[0])
x.shape
v.sigmoid()
v.sign()
v.sin()
x.size(), x.size(1)
x.softmax(dim=1)
v.abs().sqrt()
v.square()
v[None].squeeze(), v[:, None].squeeze(1)
v.std(correction=0), v.std()
x.mT.stride()
v.clone().sub_(1)
x.sum(), x.sum(dim=(0, 2), keepdim=True)
v.tanh()
v.to(torch.float64), n.to("cpu")
m.to_sparse().to_dense()
x.tolist()
v.topk(2)
x.transpose(0, 2)
m.tril(), m.tril(-1)
m.triu(1)
m.unbind(dim=1)
torch.arange(6).unflatten(0, (2, 3))
n.unique(), torch.tensor([[1, 2], [1, 2], [0, 3]]).unique(dim=0)
v.unsqueeze(1)
v.var(), x.var(dim=-1, keepdim=True, correction=0), v.var(unbiased=False)
x.view(6, 4)
n[:4].float().view_as(m[:2, :2])
v.where(v > 0, torch.zeros(4))
v.clone().zero_()
torch.allclose(v, v + 1e-6, rtol=0, atol=1e-5, equal_nan=True)
torch.arange(2, 9, 3, dtype=torch.float64, device="cpu")
torch.atan2(v, v.flip(0))
torch.autograd.grad((w := learned()).sum(), [w, learned()], allow_unused=True)
torch.tensor(1.0, dtype=torch.bfloat16) + 2 ** -9
torch.bincount(n, minlength=8)
torch.block_diag(m[:1, :2], m[1:, 2:])
torch.ones(2, dtype=torch.bool)
torch.bucketize(torch.tensor([1, 2, 4]), torch.tensor([1, 2, 3]), right=True)
torch.cat([m, m], dim=1)
torch.cdist(m, m[:2])
torch.complex(v, v)
z.to(torch.complex128)
torch.cos(v)
torch.cosine_similarity(m, m.flip(0))
torch.deg2rad(torch.tensor([90.0]))
torch.diag(v[:2]), torch.diag(m)
isinstance(x.dtype, torch.dtype)
torch.einsum("bij,bkj->bik", x, x), torch.einsum("ii", m)
torch.empty(2, 3).shape, torch.empty_like(x).shape
torch.equal(v, v.clone())
torch.exp(v)
torch.eye(2, 3, dtype=torch.float64, device="cpu")
torch.fft.rfft(x, dim=1)
torch.finfo(torch.float16).max, torch.finfo(torch.float32).eps
v.to(torch.float16)
v.to(torch.float32), v.to(torch.float64)
torch.full((2,), 3, dtype=torch.int32)
torch.full_like(v, 2.0)
v.to(torch.int64), n.to(torch.long)
torch.isclose(v, v + 1e-4, atol=1e-3)
torch.lerp(v, v.flip(0), 0.25)
torch.linalg.lstsq(m, m[:, :1], driver="gelsd").solution
torch.linalg.pinv(m)
[part.abs() for part in torch.linalg.qr(m)]
torch.linspace(0, 1, 5, dtype=torch.float64)
torch.logaddexp(v, v.flip(0))
torch.logspace(0, 2, 3, dtype=torch.float64)
torch.manual_seed(5) and torch.rand(2)
torch.matmul(m, m)
torch.minimum(v, v.flip(0))
torch.tensor([torch.nan]).isnan(), torch.pi
v.prod()
torch.manual_seed(0) and torch.empty(3).normal_()
torch.meshgrid(v, v[:2], indexing="ij")
n.unique(return_counts=True)
torch.nextafter(torch.tensor(1.0), torch.tensor(2.0))
nn.Dropout(0.5).eval()(v), F.dropout(v, 0.5, training=False)
seeded(nn.Embedding(4, 2, padding_idx=1, device="cpu"))(n[:4] % 4)
nn.Identity()(v)
nn.LayerNorm(4)(x)
seeded(nn.Linear(4, 2))(x.double())
seeded(Net())(m[:, :2].double())
isinstance(Net(), nn.Module), len(nn.ModuleList([nn.Identity()]))
seeded(nn.MultiheadAttention(embed_dim=4, num_heads=2, batch_first=True, kdim=4, vdim=4))(*[x.double()] * 3)
nn.Parameter(v).requires_grad, len(nn.ParameterList([nn.Parameter(v)]))
nn.Sequential(nn.ReLU(), nn.Identity())(v)
seeded(nn.TransformerEncoder(nn.TransformerEncoderLayer(d_model=4, nhead=2, dim_feedforward=8, dropout=0.0, \
batch_first=True, norm_first=True), num_layers=2, enable_nested_tensor=False))(x.double())
F.cosine_similarity(x, x.flip(1), dim=-1)
F.cross_entropy(m, torch.tensor([0, 2, 1])), F.cross_entropy(m, torch.tensor([0, 2, 1]), reduction="none")
F.embedding(n[:3], torch.arange(12.0).reshape(6, 2))
F.interpolate(x[:1, None].double(), size=(5, 6), mode="bilinear", align_corners=True)
F.interpolate(x, size=7, mode="linear", align_corners=False)
F.layer_norm(x, (4,))
F.normalize(x, dim=-1)
F.one_hot(n, 6)
F.pad(m, (1, 2))
F.rms_norm(x, (4,), eps=1e-6)
F.scaled_dot_product_attention(x, x, x, is_causal=True)
F.scaled_dot_product_attention(x, x, x, attn_mask=torch.ones(3, 3, dtype=torch.bool).tril())
F.softmax(v, 0), torch.relu(v)
nn.init.constant_(torch.empty(2), 3.0)
torch.manual_seed(0) and nn.init.normal_(torch.empty(3), std=0.5)
torch.manual_seed(0) and nn.init.xavier_normal_(torch.empty(2, 3))
torch.manual_seed(0) and nn.init.xavier_uniform_(torch.empty(2, 3))
torch.no_grad()(lambda: (learned() * 2).requires_grad)()
torch.ones(2, dtype=torch.int64, device="cpu"), torch.ones_like(n, dtype=torch.float32)
stepped(lambda w: torch.optim.Adam(w, lr=0.1))
stepped(lambda w: torch.optim.AdamW(w, lr=0.1, weight_decay=0.2))
stepped(lambda w: torch.optim.Adam(w), lambda o: torch.optim.lr_scheduler.OneCycleLR(o, 0.1, total_steps=5))
torch.outer(v, v)
torch.polar(torch.ones(4), v)
torch.rad2deg(v)
torch.rand(3, generator=torch.Generator().manual_seed(1))
torch.randint(9, (4,), generator=torch.Generator().manual_seed(1))
torch.randn(40, dtype=torch.float32, device="cpu", generator=torch.Generator().manual_seed(1))
torch.random.fork_rng().__enter__() is None
torch.randperm(6, generator=torch.Generator().manual_seed(1))
torch.round(v)
torch.set_num_threads(1)
torch.set_printoptions(precision=2, linewidth=60, sci_mode=False), str(v), \
torch.set_printoptions(profile="default")
torch.sin(v)
torch.stack([v, v], dim=1)
torch.tensor([1, 2], dtype=torch.float64, requires_grad=True)
torch.tril(m)
torch.unique(n, return_counts=True)
torch.view_as_complex(m[:, :2].contiguous()), torch.view_as_real(z)
torch.where(v > 0, v, 0.0)
torch.zeros(2, dtype=torch.float64, requires_grad=True), torch.zeros_like(v)
"""

# Turns tensors into plain data, so that those of two torches can be compared.
PLAIN = """
def plain(value):
    if isinstance(value, torch.Tensor):
        value = value.detach()
        if value.is_complex():
            return [str(value.dtype), plain(value.real), plain(value.imag)]
        return [str(value.dtype), list(value.shape), value.to(torch.float64).tolist()]
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value if isinstance(value, (bool, int, float, str, type(None))) else str(value)
"""


# Returns the value of a line, or the error that it raises.
RUN = """
def run(line):
    try:
        return plain(eval(line))
    except Exception as error:
        return type(error).__name__ + ": " + str(error)
"""


def lines() -> list[str]:
    """Return the lines of CALLS."""
    return CALLS.strip().splitlines()
