"""Small trained models that come with the package, so that an explorer need not train one first.

Each module here trains and loads its models. ``python -m posenc_lessons.experiments.trained`` trains them all
again.
"""
