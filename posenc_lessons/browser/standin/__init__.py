"""What a page without a kernel puts on its path in place of larger modules: ``torch``, and what is never used
there but imported all the same."""
