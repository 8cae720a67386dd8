"""Which email addresses are taken, and their one spelling."""

from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.utils.encoding import punycode

from annotation.accounts.models import LONGEST_ADDRESS
from common.errors import Invalid

_validate = EmailValidator(allowlist=[])


class AddressUnusable(Invalid):
    """A text is no email address that mail can be sent to."""

    def __init__(self) -> None:
        super().__init__("This is not a valid email address. Enter one such as pat@example.org.")


def clean_address(text: str) -> str:
    """Return an address as it is stored: the part after @ in lower case and, as for mail servers, in ASCII.

    So an address whose letters only look like another's is seen as what it is. Raises `AddressUnusable`,
    also for spellings that few mail servers take: quoted names, and numbers in place of a host.
    """
    text = text.strip()
    local, _, domain = text.rpartition("@")
    try:
        address = f"{local}@{punycode(domain.lower())}"
        _validate(address)
    except (ValidationError, UnicodeError):
        raise AddressUnusable from None
    if '"' in local or "[" in domain or len(address) > LONGEST_ADDRESS or len(local) > 64:
        raise AddressUnusable
    return address
