"""Every table and field of a project is in a bundle, or stays for a reason that is told."""

from django.apps import apps
from django.db.models import JSONField, Model

from annotation.accounts.models import (
    AccountEvent,
    IdempotencyKey,
    Mailbox,
    PasswordRequest,
    ProviderIdentity,
    RecoveryCode,
    SecondFactor,
    SpentSignIn,
    User,
    WrongTries,
)
from annotation.projects.models import Organization, OrganizationMember, Project
from judges.bundles.selectors.contents import ALL_PARTS, LEFT_OUT, PARTS
from judges.bundles.selectors.shapes import SHAPES
from judges.runs.models import LastSweep, MonthlySpend

# Of the server, not of any project.
OF_THE_SERVER = {
    AccountEvent,
    IdempotencyKey,
    LastSweep,
    Mailbox,
    MonthlySpend,
    Organization,
    OrganizationMember,
    PasswordRequest,
    ProviderIdentity,
    RecoveryCode,
    SecondFactor,
    SpentSignIn,
    WrongTries,
}


def ours() -> list[type[Model]]:
    return [model for label in ("annotation", "judges") for model in apps.get_app_config(label).get_models()]


class TestContents:
    def test_every_table_is_in_or_out(self) -> None:
        listed = [part.model for part in ALL_PARTS]
        assert len(listed) == len(set(listed))
        assert {*listed, *LEFT_OUT, *OF_THE_SERVER} == set(ours())
        assert not set(listed) & set(LEFT_OUT)

    def test_every_field_is_in_or_out(self) -> None:
        for part in ALL_PARTS:
            fields = {
                field.name
                for field in part.model._meta.concrete_fields
                # The project is the only one that there is.
                if not field.primary_key and field.related_model is not Project
            }
            listed = [*part.fields, *part.left_out]
            assert "line" not in fields
            assert (part.name, sorted(listed)) == (part.name, sorted(fields))
            assert set(part.named) <= set(part.fields)

    def test_every_json_field_has_a_form(self) -> None:
        fields = {
            (part.model, column.name)
            for part in ALL_PARTS
            for column in part.columns
            if isinstance(column, JSONField)
        }
        assert fields == set(SHAPES)

    def test_nothing_goes_by_a_table_between(self) -> None:
        between = {(model, field.name) for model in ours() for field in model._meta.many_to_many}
        assert {(model, name) for model, name in between if model is not User} == set()

    def test_a_part_comes_after_what_it_points_to(self) -> None:
        seen: set[type[Model]] = {User}
        for part in PARTS:
            pointed = {field.related_model for field in part.columns if field.is_relation}
            # Which version is in force is said once all are there.
            assert pointed - seen <= ({PARTS[1].model} if part.model is Project else set())
            seen.add(part.model)

    def test_secrets_stay(self) -> None:
        secrets = {"password", "secret", "token", "key", "email", "session"}
        for part in ALL_PARTS:
            for name in part.fields:
                words = set(name.split("_"))
                assert not words & secrets or name in HARMLESS, (part.name, name)


# Keys of rows and of texts, which open nothing.
HARMLESS = {"key", "key_hash", "check_key", "submission_key", "former_keys", "judge_key", "cache_key"} | {
    "input_tokens",
    "output_tokens",
}
