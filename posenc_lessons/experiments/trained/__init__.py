"""Small models that come trained, so that an explorer need not train one first.

Each module here says how its models are trained and loads them. ``python -m
posenc_lessons.experiments.trained`` trains them all again.
"""
