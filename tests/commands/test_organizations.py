"""Organizations from the command line."""

import io

import pytest
from django.core.management import CommandError, call_command

from annotation.accounts.models import User
from annotation.projects.models import Organization, Project
from common.clock import now
from judges.runs.models import MonthlySpend
from judges.runs.selectors.progress import name_month

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    said = io.StringIO()
    call_command(*arguments, stdout=said)
    return said.getvalue()


@pytest.fixture
def lab(lead: User) -> Organization:
    run("create_organization", "lab", "--owner", "lead", "--name", "The lab", "--projects", "2")
    return Organization.objects.get()


class TestOrganizations:
    def test_are_created_with_an_owner_and_limits(self, lab: Organization, lead: User) -> None:
        assert (lab.name, lab.most_projects, lab.most_people) == ("The lab", 2, None)
        assert [(member.user, member.role) for member in lab.members.all()] == [(lead, "owner")]

    def test_change(self, lab: Organization, outsider: User) -> None:
        run("change_organization", "lab", "--projects", "none", "--people", "7", "--owner", "outsider")
        lab.refresh_from_db()
        assert (lab.name, lab.most_projects, lab.most_people) == ("The lab", None, 7)
        assert lab.members.get(user=outsider).role == "owner"

    def test_are_listed_with_what_they_use(self, lab: Organization) -> None:
        run("create_project", "one", "--protocol", "evouna", "--lead", "lead", "--organization", "lab")
        run("change_organization", "lab", "--monthly-usd", "2.50")
        assert Project.objects.get(slug="one").organization == lab
        assert run("organizations").splitlines() == [
            "lab (The lab)",
            "  owners: lead",
            "  projects: 1 (limit 2)",
            "  answers: 0 (no limit)",
            "  people: 1 (no limit)",
            f"  language models in {name_month(now())}: 0 USD (limit 2.5 USD a month)",
        ]

    def test_refuse_a_project_too_many(self, lab: Organization) -> None:
        run("change_organization", "lab", "--projects", "0")
        with pytest.raises(CommandError, match="“The lab” has a limit of 0 open projects"):
            run("create_project", "one", "--protocol", "evouna", "--lead", "lead", "--organization", "lab")

    @pytest.mark.parametrize("limit", ["-1", "many", "1.5", "99999999999999999999999"])
    def test_take_whole_numbers(self, lab: Organization, limit: str) -> None:
        with pytest.raises(CommandError, match="whole number") as refused:
            run("change_organization", "lab", f"--projects={limit}")
        assert refused.value.returncode == 2

    def test_are_not_there(self, lead: User) -> None:
        assert run("organizations") == "There are no organizations yet.\n"
        with pytest.raises(CommandError, match="The organization “lab” does not exist"):
            run("change_organization", "lab")
        with pytest.raises(CommandError, match="The account “nobody” does not exist"):
            run("create_organization", "lab", "--owner", "nobody")

    @pytest.mark.parametrize("name", ["x" * 201, "   ", "two\nlines"])
    def test_have_names_that_pages_can_show(self, lab: Organization, name: str) -> None:
        with pytest.raises(CommandError, match="A name") as refused:
            run("change_organization", "lab", "--name", name)
        assert refused.value.returncode == 2
        with pytest.raises(CommandError, match="A name"):
            run("create_organization", "other", "--owner", "lead", "--name", name)
        assert list(Organization.objects.values_list("name", flat=True)) == ["The lab"]

    @pytest.mark.parametrize("name", ["Université\u00a0de Zürich", "日本\u3000大学", "می\u200cخواهم"])
    def test_have_names_in_any_script(self, lab: Organization, name: str) -> None:
        run("change_organization", "lab", "--name", name)
        assert Organization.objects.get().name == name

    def test_are_deleted_once_they_have_no_projects(self, lab: Organization, lead: User) -> None:
        run("create_project", "one", "--protocol", "evouna", "--lead", "lead", "--organization", "lab")
        with pytest.raises(
            CommandError, match=r"1 project is in “The lab”: one\. Move or delete them"
        ) as refused:
            run("delete_organization", "lab")
        assert refused.value.returncode == 1
        Project.objects.update(deleted_at=now())
        with pytest.raises(CommandError, match="still being deleted"):
            run("delete_organization", "lab")
        Project.objects.update(organization=None)
        MonthlySpend.objects.create(organization=lab, month="2026-11")
        assert run("delete_organization", "lab") == "Deleted the organization lab.\n"
        assert not Organization.objects.exists()
        assert lead.organizations.count() == 0
