"""Events between steps."""

import pytest
from django.utils.module_loading import import_string

from common.events import publish
from config.subscriptions import SUBSCRIPTIONS


class TestPublish:
    def test_an_unknown_event_is_a_bug(self) -> None:
        with pytest.raises(KeyError):
            publish(event="something_else")

    def test_everybody_in_the_table_exists(self) -> None:
        for subscribers in SUBSCRIPTIONS.values():
            assert all(callable(import_string(subscriber)) for subscriber in subscribers)
