"""Small tasks, all made on the fly, that can only be solved by knowing where each token stands."""
