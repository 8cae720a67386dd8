"""Organizations: who is in them, and that nothing grows past their limits."""

import pytest
from django.db import models

from annotation.accounts.models import User
from annotation.accounts.services import anonymize_user
from annotation.items.models import DataImport
from annotation.items.services.applying import confirm_import
from annotation.projects.models import Organization, OrganizationMember, Project
from annotation.projects.selectors import count_people, open_projects
from annotation.projects.services import organizations
from annotation.projects.services.limits import OrganizationLimitReached
from annotation.projects.services.making import copy_project, set_state
from annotation.projects.services.members import (
    ProjectFull,
    accept_invitation,
    change_member,
    invite,
    leave_project,
)
from tests.annotation.items.conftest import import_into, outputs, upload_to
from tests.factories import make_member, make_project, make_user

pytestmark = pytest.mark.django_db
ARCHIVED, OPEN = Project.State.ARCHIVED, Project.State.OPEN


@pytest.fixture
def lab(lead: User) -> Organization:
    return organizations.create_organization(slug="lab", name="The lab", owner=lead)


def limit(lab: Organization, **limits: int | None) -> Organization:
    return organizations.change_organization(organization=lab, limits=limits)


def make_in(lab: Organization, lead: User, **fields: str) -> Project:
    return make_project(lead=lead, organization=lab, **fields)


def join(project: Project, *, role: str = "annotator", user: User | None = None) -> None:
    token = invite(project=project, by=project.created_by, role=role).token
    accept_invitation(token=token, user=user or make_user())


def names(found: "models.QuerySet[Project]") -> set[str]:
    return set(found.values_list("name", flat=True))


class TestProjects:
    def test_one_too_many_is_refused_in_words_that_say_what_to_do(
        self, lab: Organization, lead: User
    ) -> None:
        limit(lab, most_projects=1)
        make_in(lab, lead)
        with pytest.raises(OrganizationLimitReached) as refused:
            make_in(lab, lead)
        assert refused.value.message == (
            "“The lab” has a limit of 1 open project. It already has 1, and this would add 1. Archive one of "
            "its projects, or ask the administrator of this server to raise the limit."
        )
        assert refused.value.details == {
            "organization": "The lab",
            "resource": "projects",
            "limit": 1,
            "used": 1,
            "asked": 1,
        }
        assert Project.objects.count() == 1

    def test_without_an_organization_nothing_is_limited(self, lab: Organization, lead: User) -> None:
        limit(lab, most_projects=0, most_people=0)
        project = make_project(lead=lead)
        join(project)
        assert project.members.count() == 2

    def test_an_archived_one_makes_room_and_comes_back_only_into_room(
        self, lab: Organization, lead: User
    ) -> None:
        limit(lab, most_projects=1)
        first = make_in(lab, lead)
        set_state(project=first, state=ARCHIVED)
        second = make_in(lab, lead)
        with pytest.raises(OrganizationLimitReached, match="has 1, and this would add 1"):
            set_state(project=first, state=OPEN)
        first.refresh_from_db()
        assert first.state == ARCHIVED
        set_state(project=second, state=ARCHIVED)
        set_state(project=first, state=OPEN)
        assert names(open_projects(lab)) == {first.name}

    def test_opening_what_is_open_grows_nothing(self, lab: Organization, lead: User) -> None:
        project = make_in(lab, lead)
        limit(lab, most_projects=0, most_people=0)
        set_state(project=project, state=OPEN)
        assert open_projects(lab).count() == 1

    def test_a_copy_is_in_it_if_its_lead_is(self, lab: Organization, lead: User, outsider: User) -> None:
        project = make_in(lab, lead)
        assert copy_project(project=project, lead=lead, name="Copy").organization == lab
        assert copy_project(project=project, lead=outsider, name="Theirs").organization is None
        limit(lab, most_projects=2)
        with pytest.raises(OrganizationLimitReached):
            copy_project(project=project, lead=lead, name="Another")

    def test_a_lower_limit_takes_nothing_away(self, lab: Organization, lead: User) -> None:
        for _ in range(3):
            make_in(lab, lead)
        limit(lab, most_projects=1)
        assert open_projects(lab).count() == 3
        with pytest.raises(OrganizationLimitReached, match="has 3, and this would add 1"):
            make_in(lab, lead)


class TestPeople:
    def test_everybody_counts_once_however_many_projects_they_are_in(
        self, lab: Organization, lead: User
    ) -> None:
        first, second = make_in(lab, lead), make_in(lab, lead)
        person = make_user()
        limit(lab, most_people=2)
        join(first, user=person)
        join(second, user=person)
        assert count_people(lab) == 2
        with pytest.raises(ProjectFull) as refused:
            join(first)
        # The organization's name and numbers are not for who is outside.
        assert "lab" not in refused.value.message
        assert (refused.value.details, set("0123456789") & set(refused.value.message)) == ({}, set())

    def test_whoever_is_refused_finds_the_link_as_it_was(self, lab: Organization, lead: User) -> None:
        project = make_in(lab, lead)
        limit(lab, most_people=1)
        token = invite(project=project, by=lead, role="annotator").token
        form = {"username": "ann", "name": "Ann", "password": "a long enough one"}
        with pytest.raises(ProjectFull):
            accept_invitation(token=token, user=None, **form)
        assert not User.objects.filter(username="ann").exists()
        limit(lab, most_people=None)
        assert accept_invitation(token=token, user=None, **form).role == "annotator"

    def test_who_left_makes_room_and_comes_back_only_into_room(self, lab: Organization, lead: User) -> None:
        project = make_in(lab, lead)
        member = make_member(project=project)
        limit(lab, most_people=2)
        leave_project(membership=member)
        join(project)
        with pytest.raises(OrganizationLimitReached):
            change_member(project=project, public_id=member.public_id, state="active")
        member.refresh_from_db()
        assert member.state == "left"

    def test_people_of_an_archived_project_count_when_it_is_reopened(
        self, lab: Organization, lead: User
    ) -> None:
        project = make_in(lab, lead)
        make_member(project=project)
        set_state(project=project, state=ARCHIVED)
        assert count_people(lab) == 1
        limit(lab, most_people=1)
        with pytest.raises(
            OrganizationLimitReached, match=r"1 person\. It already has 1, and this would add 1"
        ):
            set_state(project=project, state=OPEN)

    def test_members_of_the_organization_count_too(self, lab: Organization, outsider: User) -> None:
        limit(lab, most_people=1)
        with pytest.raises(OrganizationLimitReached):
            organizations.add_organization_member(organization=lab, username="outsider", role="member")
        assert lab.members.count() == 1

    def test_raters_of_a_file_do_not(self, lab: Organization, lead: User) -> None:
        project = make_in(lab, lead)
        rater = make_member(project=project)
        User.objects.filter(pk=rater.user_id).update(is_imported=True)
        assert count_people(lab) == 1


class TestAnswers:
    @pytest.fixture
    def project(self, lab: Organization, lead: User) -> Project:
        return make_in(lab, lead, preset="evouna")

    def test_an_import_that_would_not_fit_is_refused_before_it_begins(
        self, lab: Organization, project: Project
    ) -> None:
        import_into(project, files={"A.jsonl": outputs(q1="Paris", q2="Rome")})
        limit(lab, most_answers=3)
        checked = upload_to(project, files={"B.jsonl": outputs(q1="Oslo", q2="Milan")})
        with pytest.raises(
            OrganizationLimitReached, match=r"3 answers\. It already has 2, and this would add 2"
        ):
            confirm_import(data_import=checked)
        checked.refresh_from_db()
        assert (checked.state, project.candidates.count()) == (DataImport.State.READY, 2)

    def test_equal_answers_count_once(self, lab: Organization, project: Project) -> None:
        limit(lab, most_answers=2)
        import_into(project, files={"A.jsonl": outputs(q1="Paris", q2="Rome")})
        import_into(project, files={"B.jsonl": outputs(q1="Paris", q2="Rome")})
        assert project.systems.count() == 2

    def test_what_the_check_did_not_foresee_is_taken_out_again(
        self, lab: Organization, project: Project
    ) -> None:
        """As where another project of the organization grew in between."""
        checked = upload_to(project, files={"A.jsonl": outputs(q1="Paris", q2="Rome")})
        limit(lab, most_answers=1)
        DataImport.objects.filter(pk=checked.pk).update(counts={"answers": 1})
        checked.refresh_from_db()
        failed = confirm_import(data_import=checked)
        assert failed.state == DataImport.State.FAILED
        assert failed.message.startswith(
            "“The lab” has a limit of 1 answer. It already has 0, and this would add 2."
        )
        assert not project.candidates.exists()
        limit(lab, most_answers=None)
        assert confirm_import(data_import=failed).state == DataImport.State.APPLIED

    def test_those_of_archived_projects_count(self, lab: Organization, project: Project, lead: User) -> None:
        import_into(project, files={"A.jsonl": outputs(q1="Paris", q2="Rome")})
        set_state(project=project, state=ARCHIVED)
        limit(lab, most_answers=2)
        other = make_in(lab, lead, preset="evouna")
        with pytest.raises(OrganizationLimitReached):
            import_into(other, files={"A.jsonl": outputs(q1="Paris")})


class TestMembers:
    def test_the_last_owner_stays_with_others(self, lab: Organization, lead: User, outsider: User) -> None:
        owner = lab.members.get()
        organizations.add_organization_member(organization=lab, username="outsider", role="member")
        with pytest.raises(organizations.LastOwner):
            organizations.change_organization_member(
                organization=lab, public_id=owner.public_id, role="member"
            )
        with pytest.raises(organizations.LastOwner):
            organizations.remove_organization_member(organization=lab, public_id=owner.public_id, by=lead)
        with pytest.raises(organizations.LastOwner):
            anonymize_user(user=lead)
        organizations.make_owner(organization=lab, user=outsider)
        organizations.remove_organization_member(organization=lab, public_id=owner.public_id, by=lead)
        assert [member.user for member in lab.members.all()] == [outsider]

    def test_whoever_was_made_an_owner_and_left_alone_gets_out(
        self, lab: Organization, lead: User, outsider: User
    ) -> None:
        """Nobody asked them: they could otherwise neither leave nor close their account."""
        owner = lab.members.get()
        organizations.add_organization_member(organization=lab, username="outsider", role="owner")
        organizations.remove_organization_member(organization=lab, public_id=owner.public_id, by=lead)
        anonymize_user(user=outsider)
        assert not lab.members.exists()
        organizations.make_owner(organization=lab, user=lead)
        assert lab.members.get().role == "owner"

    def test_of_two_owners_who_remove_each_other_one_stays(
        self, lab: Organization, lead: User, outsider: User
    ) -> None:
        """The second removal was let in before the first was done."""
        first = lab.members.get()
        second = organizations.add_organization_member(organization=lab, username="outsider", role="owner")
        organizations.remove_organization_member(organization=lab, public_id=second.public_id, by=lead)
        with pytest.raises(organizations.LastOwner):
            organizations.remove_organization_member(organization=lab, public_id=first.public_id, by=outsider)
        assert lab.members.get() == first

    def test_a_closed_account_is_in_none(self, lab: Organization, outsider: User) -> None:
        organizations.add_organization_member(organization=lab, username="outsider", role="member")
        anonymize_user(user=outsider)
        assert not OrganizationMember.objects.filter(user=outsider).exists()

    def test_nobody_is_in_it_twice(self, lab: Organization, lead: User) -> None:
        with pytest.raises(organizations.AlreadyInOrganization):
            organizations.add_organization_member(organization=lab, username=lead.username, role="member")
        assert lab.members.get().role == "owner"

    def test_only_who_can_sign_in_is_added(self, lab: Organization, outsider: User) -> None:
        anonymize_user(user=outsider)
        with pytest.raises(organizations.UnknownUsername):
            organizations.add_organization_member(organization=lab, username=outsider.username, role="member")

    def test_an_organization_has_a_short_name_of_its_own(self, lab: Organization, lead: User) -> None:
        with pytest.raises(organizations.OrganizationSlugTaken):
            organizations.create_organization(slug="lab", owner=lead)
        with pytest.raises(organizations.UnusableOrganizationSlug):
            organizations.create_organization(slug="a lab", owner=lead)
