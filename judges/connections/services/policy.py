"""The operator's list of what may be called, from the settings."""

from django.conf import settings

from judges.connections.rules.addresses import AddressPolicy, parse_policy


def address_policy() -> AddressPolicy:
    """Return what may be called from this server (`ASSAY_LLM_ALLOWED_HOSTS`)."""
    return parse_policy(settings.ASSAY_LLM_ALLOWED_HOSTS)
