"""Writing projects, members and invitations."""

from datetime import timedelta

import pytest
from django.db import IntegrityError

from annotation.accounts.models import User
from annotation.projects.models import Invitation, Membership, Project
from annotation.projects.selectors import InvitationUnusable, ProjectNotFound, get_membership
from annotation.projects.services import making, members, protocols
from common.clock import now
from tests.factories import make_member, make_project, make_user

pytestmark = pytest.mark.django_db


class TestCreateProject:
    def test_makes_the_creator_an_unblinded_lead(self, lead: User) -> None:
        project = make_project(lead=lead)
        member = get_membership(user=lead, slug=project.slug)
        assert member.role == Membership.Role.LEAD
        assert member.unblinded_at is not None

    def test_makes_an_address_from_the_name(self, lead: User) -> None:
        assert make_project(lead=lead, name="NQ 301!").slug == "nq-301"

    def test_refuses_an_address_that_is_taken(self, project: Project, lead: User) -> None:
        with pytest.raises(making.SlugTaken):
            make_project(lead=lead, slug=project.slug)

    def test_refuses_an_address_of_the_product_itself(self, lead: User) -> None:
        with pytest.raises(making.SlugTaken):
            make_project(lead=lead, name="New")

    @pytest.mark.parametrize("slug", ["x/../../evil", "a b", "..", "x" * 61])
    def test_refuses_what_is_no_address(self, lead: User, slug: str) -> None:
        with pytest.raises(making.UnusableSlug):
            make_project(lead=lead, slug=slug)

    def test_tries_another_address_only_for_one_that_is_taken(
        self, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What the database refuses for anything else it refuses under any address."""

        def refuse(*_: object, **__: object) -> None:
            raise IntegrityError("CHECK constraint failed")

        monkeypatch.setattr(Project, "save", refuse)
        project = Project(slug="free", name="Free", created_by=lead, created_at=now())
        with pytest.raises(IntegrityError, match="CHECK"):
            making.insert_project(project, tells_taken=False)

    def test_does_not_try_addresses_for_ever(self, lead: User, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(making, "_is_inserted", lambda project: False)
        project = Project(slug="free", name="Free", created_by=lead, created_at=now())
        with pytest.raises(making.SlugTaken):
            making.insert_project(project, tells_taken=False)

    def test_refuses_an_unknown_protocol_and_leaves_nothing_behind(self, lead: User) -> None:
        with pytest.raises(making.UnknownPreset):
            make_project(lead=lead, preset="guesswork")
        assert not Project.objects.exists()


class TestSetProtocol:
    def test_changes_in_place_until_work_starts(self, project: Project) -> None:
        spec = {**project.protocol.spec, "sheet_size": 5}
        assert protocols.set_protocol(project=project, spec=spec).number == 1

    def test_makes_a_new_version_once_frozen(self, project: Project) -> None:
        project.protocol.frozen_at = now()
        project.protocol.save()
        version = protocols.set_protocol(project=project, spec={**project.protocol.spec, "sheet_size": 5})
        assert version.number == 2
        assert project.protocol_versions.count() == 2

    def test_a_label_under_which_work_was_done_stays(self, project: Project) -> None:
        project.protocol.frozen_at = now()
        project.protocol.save()
        labels = [{**label, "key": f"new_{label['key']}"} for label in project.protocol.spec["labels"]]
        with pytest.raises(protocols.UnusableProtocol, match="you cannot remove it"):
            protocols.set_protocol(project=project, spec={**project.protocol.spec, "labels": labels})

    def test_names_the_field_that_is_wrong(self, project: Project) -> None:
        with pytest.raises(protocols.UnusableProtocol) as caught:
            protocols.set_protocol(project=project, spec={**project.protocol.spec, "sheet_size": 99})
        assert "sheet_size" in caught.value.details["fields"]


class TestMembers:
    def test_a_stranger_is_told_there_is_no_such_project(self, project: Project, outsider: User) -> None:
        with pytest.raises(ProjectNotFound):
            get_membership(user=outsider, slug=project.slug)

    def test_joining_twice_keeps_the_first_role(self, project: Project) -> None:
        member = make_member(project=project)
        again = members.add_member(project=project, user=member.user, role=Membership.Role.LEAD)
        assert again.pk == member.pk
        assert again.role == Membership.Role.ANNOTATOR

    def test_a_wrong_role_that_opened_nothing_bars_nobody(self, project: Project) -> None:
        member = make_member(project=project)
        for role in (Membership.Role.ADJUDICATOR, Membership.Role.LEAD, Membership.Role.ANNOTATOR):
            changed = members.change_member(project=project, public_id=member.public_id, role=role)
            assert changed.unblinded_at is None

    def test_who_was_lead_and_looked_stays_unblinded_as_annotator(self, project: Project) -> None:
        member = make_member(project=project, role=Membership.Role.LEAD)
        members.note_opening(member=member)
        changed = members.change_member(
            project=project, public_id=member.public_id, role=Membership.Role.ANNOTATOR
        )
        assert changed.unblinded_at is not None

    def test_the_last_lead_stays(self, project: Project, lead: User) -> None:
        member = get_membership(user=lead, slug=project.slug)
        with pytest.raises(members.LastLead):
            members.change_member(project=project, public_id=member.public_id, role=Membership.Role.ANNOTATOR)
        member.refresh_from_db()
        assert member.role == Membership.Role.LEAD

    def test_members_of_other_projects_are_not_found(self, project: Project) -> None:
        stranger = make_member(project=make_project())
        with pytest.raises(members.MemberNotFound):
            members.change_member(project=project, public_id=stranger.public_id, state="paused")

    def test_the_database_refuses_a_second_membership(self, project: Project, lead: User) -> None:
        with pytest.raises(IntegrityError):
            Membership.objects.create(
                project=project, user=lead, role="annotator", pseudonym="R-TWICE", joined_at=now()
            )


class TestInvitations:
    def test_a_link_makes_an_account_and_a_member(self, project: Project, lead: User) -> None:
        made = members.invite(project=project, by=lead, role="annotator")
        member = members.accept_invitation(
            token=made.token, user=None, username="ann", name="Ann", password="a long enough one"
        )
        assert (member.user.username, member.role) == ("ann", "annotator")

    def test_the_token_is_not_kept(self, project: Project, lead: User) -> None:
        made = members.invite(project=project, by=lead, role="annotator")
        assert made.token not in str(Invitation.objects.values())

    def test_a_link_works_once(self, project: Project, lead: User) -> None:
        made = members.invite(project=project, by=lead, role="annotator")
        members.accept_invitation(token=made.token, user=make_user())
        with pytest.raises(InvitationUnusable):
            members.accept_invitation(token=made.token, user=make_user())

    def test_brings_back_who_had_left(self, project: Project, annotators: list[Membership]) -> None:
        gone = members.change_member(project=project, public_id=annotators[0].public_id, state="left")
        made = members.invite(project=project, by=project.created_by, role="annotator")
        assert members.accept_invitation(token=made.token, user=gone.user).state == "active"

    def test_a_used_link_makes_no_account(self, project: Project, lead: User) -> None:
        made = members.invite(project=project, by=lead, role="annotator")
        members.accept_invitation(token=made.token, user=make_user())
        with pytest.raises(InvitationUnusable):
            members.accept_invitation(token=made.token, user=None, username="late", password="long enough 1")
        assert not User.objects.filter(username="late").exists()

    def test_an_expired_link_is_refused(self, project: Project, lead: User) -> None:
        made = members.invite(project=project, by=lead, role="annotator", expires_in=timedelta(0))
        with pytest.raises(InvitationUnusable):
            members.accept_invitation(token=made.token, user=make_user())

    def test_a_revoked_link_is_refused(self, project: Project, lead: User) -> None:
        made = members.invite(project=project, by=lead, role="annotator")
        members.revoke_invitation(project=project, public_id=made.invitation.public_id)
        with pytest.raises(InvitationUnusable):
            members.accept_invitation(token=made.token, user=make_user())

    def test_a_link_that_works_can_be_renamed(self, project: Project, lead: User) -> None:
        made = members.invite(project=project, by=lead, role="annotator", label="Link 1")
        members.rename_invitation(project=project, public_id=made.invitation.public_id, label="For Ada")
        made.invitation.refresh_from_db()
        assert made.invitation.label == "For Ada"
        assert members.accept_invitation(token=made.token, user=make_user()).role == "annotator"

    @pytest.mark.parametrize("end", ["used", "revoked", "expired", "ended"])
    def test_a_link_that_has_ended_keeps_its_name(self, project: Project, lead: User, end: str) -> None:
        days = timedelta(0) if end == "expired" else timedelta(days=1)
        made = members.invite(project=project, by=lead, role="annotator", label="Link 1", expires_in=days)
        if end == "used":
            members.accept_invitation(token=made.token, user=make_user())
        if end == "revoked":
            members.revoke_invitation(project=project, public_id=made.invitation.public_id)
        if end == "ended":
            make_member(project=project, role="lead")
            project.members.filter(user=lead).update(state=Membership.State.PAUSED)
        with pytest.raises(members.InvitationEnded):
            members.rename_invitation(project=project, public_id=made.invitation.public_id, label="Ada")
        made.invitation.refresh_from_db()
        assert made.invitation.label == "Link 1"

    def test_a_link_of_another_project_is_not_found(self, project: Project, lead: User) -> None:
        made = members.invite(project=project, by=lead, role="annotator", label="Link 1")
        with pytest.raises(members.InvitationNotFound):
            members.rename_invitation(
                project=make_project(slug="other"), public_id=made.invitation.public_id, label="Ada"
            )
        made.invitation.refresh_from_db()
        assert made.invitation.label == "Link 1"

    def test_a_wrong_link_is_not_found(self) -> None:
        with pytest.raises(InvitationUnusable):
            members.accept_invitation(token="guessed", user=make_user())
