"""Nothing is displayed: there is no notebook."""


def display(*shown: object, **how: object) -> None: ...


def clear_output(wait: bool = False) -> None: ...
