"""UTF-8 that was once read as Windows-1252 ("30â€“31 October"), found and repaired."""


def repaired(text: str) -> str | None:
    """Return the text as it was meant, or None where nothing speaks for a wrong reading.

    A text is taken for misread only if its characters, written as Windows-1252, are valid UTF-8 with
    at least one character beyond ASCII: true text in any language fails that test all but surely.
    """
    if text.isascii():
        return None
    try:
        return b"".join(_misread_byte(character) for character in text).decode("utf-8")
    except UnicodeError:
        return None


def _misread_byte(character: str) -> bytes:
    try:
        return character.encode("cp1252")
    except UnicodeEncodeError:
        # Five bytes have no meaning in Windows-1252; programs pass them on as they are.
        return character.encode("latin-1")
