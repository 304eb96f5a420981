"""What a class is given, by default; ``posenc-lessons explore --help`` says it to the teacher."""

from __future__ import annotations

import sys

# Where kernels are forked from one process that has all loaded. A process with Apple's libraries does not
# survive that, and Windows has no fork.
FORKS = sys.platform == "linux"

LEARNERS = 30  # when others can reach the server and nobody said how many
PAGES_PER_LEARNER = 2  # the new page of a reload opens before the old one is gone
LEFT = 5 * 60  # seconds that a kernel waits for a page that has lost its connection
IDLE = 2 * 60 * 60  # seconds that it waits for somebody to touch the page
CHECKED_EVERY = 30  # seconds

# What the page needs of JupyterLab's extensions; others that are installed may not even load outside of it.
PAGE_EXTENSIONS = ("@jupyter-widgets/jupyterlab-manager", "@voila-dashboards/widgets-manager8", "anywidget")
