from . import mps as mps
