"""Small tasks, drawn at random, that can only be solved by knowing where each token stands."""
