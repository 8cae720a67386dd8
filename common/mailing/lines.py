"""Text of people in a message: one line, and nothing that changes how the rest reads."""


def one_line(text: str, *, longest: int) -> str:
    """Return a text as one line without characters that are not shown, shortened where it is too long.

    A name with a line break would be two headers of a message, and marks of direction turn what follows.
    """
    line = "".join(each if each.isprintable() else " " for each in text)
    words = " ".join(line.split())
    return words if len(words) <= longest else f"{words[: longest - 1]}…"
