"""List organizations with what they use of their limits."""

from typing import Any

from django.core.management.base import BaseCommand

from annotation.projects.models import Organization
from annotation.projects.selectors import monthly_spending
from annotation.projects.services.limits import Resource, count, limit_of


class Command(BaseCommand):
    """List organizations."""

    help = (
        "List the organizations with their owners, their limits, and how much of each limit they use. "
        "Exit code: 0 done."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """List them."""
        found = Organization.objects.order_by("slug")
        for organization in found:
            self._tell(organization)
        if not found:
            self.stdout.write("There are no organizations yet.")

    def _tell(self, organization: Organization) -> None:
        self.stdout.write(f"{organization.slug} ({organization.name})")
        owners = (
            organization.members.filter(role="owner").order_by("pk").values_list("user__username", flat=True)
        )
        self.stdout.write(f"  owners: {', '.join(owners)}")
        for resource in Resource:
            limit = limit_of(organization, resource)
            of = "no limit" if limit is None else f"limit {limit:,}"
            self.stdout.write(f"  {resource.value}: {count(organization, resource):,} ({of})")
        spending = monthly_spending(organization)
        of = "no limit" if spending.limit_usd is None else f"limit {spending.limit_usd} USD a month"
        self.stdout.write(f"  language models in {spending.month}: {spending.used_usd} USD ({of})")
