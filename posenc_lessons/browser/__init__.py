"""The explorers in a web page without a kernel: Python itself runs in the page."""
