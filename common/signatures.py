"""The version, and signatures that name all options."""

VERSION = "0.1.0"


def spell(**parts: object) -> str:
    """Return named parts as one line, `name:value` each, so that equal lines mean equal parts."""
    return "|".join(f"{name}:{_spelled(value)}" for name, value in parts.items())


def sign_figures(
    subject: str, *, has_intervals: bool = False, seed: int | None = None, **choices: object
) -> str:
    """Return what produced a table's numbers: what it is of, every choice, its intervals and this version.

    A choice that is None or empty was not made and is left out. seed: of what is drawn.
    Source of the idea: sacrebleu (Post 2018).
    """
    made = {name: value for name, value in choices.items() if value is not None and value != ""}
    drawn = {"interval": "questions t"} if has_intervals else {}
    if seed is not None:
        drawn["seed"] = str(seed)
    return f"{subject}|{spell(**made, **drawn, version=VERSION)}"


def _spelled(value: object) -> str:
    # One spelling a value, and no separator inside one.
    text = repr(value) if isinstance(value, float) else str(value)
    return text.replace("%", "%25").replace("|", "%7C")
