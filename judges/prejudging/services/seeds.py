"""Make seeds of the secret key, so that raters cannot work out which answers a project draws."""

from django.utils.crypto import salted_hmac

from annotation.projects.models import Project


def secret_number(*, project: Project, salt: str, sample: int | None = None) -> int:
    """Return 64 bits that are the same each time; salt: what they are for, sample: each its own."""
    name = f"{project.pk} {project.created_at.isoformat()}" + ("" if sample is None else f" {sample}")
    return int.from_bytes(salted_hmac(salt, name, algorithm="sha256").digest()[:8])
