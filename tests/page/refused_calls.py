"""Calls that the page's torch refuses, a line each; ``calls.py`` has what comes before them."""

# These are refused with PyTorch's type of error and its words.
REFUSED_ALIKE = """
m + torch.ones(4)
torch.ones(2, 3, 4) + torch.ones(2, 5, 4)
m @ torch.ones(4, 5)
x @ torch.ones(2, 3, 5)
x @ torch.ones(3, 4, 5)
torch.ones(2, 3, 4) @ torch.ones(5, 4, 4)
torch.zeros(1, 3).add_(m)
m.gather(0, n)
m.gather(1, torch.tensor([[3], [0], [1]]))
m.gather(1, torch.zeros(4, 1, dtype=torch.long))
x.reshape(5, -1)
m.T.view(9)
m.permute(0)
bool(m)
m.item()
range(5)[v]
F.one_hot(n, 5)
F.one_hot(-n)
F.one_hot(v)
F.embedding(n, m)
F.layer_norm(m, (4,))
m[::-1]
nn.Linear(3, 2)(v)
seeded(nn.Linear(3, 2)).load_state_dict({"weight": m})
torch.meshgrid(v, device=1)
v.numpy().nothing
"""

# These are refused with PyTorch's type of error and other words.
REFUSED = """
m @ torch.ones(4)
torch.ones(3) @ torch.ones(4)
torch.tensor(1.0) @ m
m @ m.double()
torch.zeros(3).add_(1j)
v.half().masked_fill(v > 0, -1e9)
m.expand(2, 3, 4)
m.split([1, 1])
torch.cat([m, x])
torch.stack([m, v])
n.mean()
F.scaled_dot_product_attention(x, x, x, attn_mask=m, is_causal=True)
torch.view_as_complex(torch.arange(12.0).reshape(2, 6).T)
torch.zeros(2, device="nowhere")
m[0, 0, 0]
m[5]
torch.softmax(m)
torch.linspace(0, 1)
(y := learned().exp(), torch.no_grad()(y.mul_)(2), y.sum().backward())
(y := learned() * 1, z := y * y, y.mul_(2), z.sum().backward())
(y := learned() * 1, z := Cubed.apply(y), y.mul_(2), z.sum().backward())
learned().add_(1)
(y := learned().exp().sum(), y.backward(), y.backward())
(learned() * 1).backward()
v.sum().backward()
learned().numpy()
(learned() * 1).requires_grad_(False)
"""

# PyTorch computes these; the page's torch says that it does not.
REFUSED_HERE = """
learned().cummax(0).values.sum().backward()
(learned() * 1)[0].add_(1)
torch.linalg.qr(m.requires_grad_()).R.sum().backward()
torch.einsum("ii->", m.requires_grad_() @ m).backward()
(y := learned() * 1, y[:1], w := y[1:], y.add_(1), w)
(y := torch.zeros(3), w := y[:2], w.add_(learned()[:2]))
(learned() * 1).normal_()
"""
