"""The rule that every view says who may use it."""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request


class DeclaredRoles(BasePermission):
    """Refuse any view that does not say who may use it.

    `access` is "public" (anyone) or "signed_in"; views below a project check roles themselves.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        access = getattr(view, "access", None)
        if access == "public":
            return True
        return access == "signed_in" and bool(request.user and request.user.is_authenticated)
