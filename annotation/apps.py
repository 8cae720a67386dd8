"""The annotation context as a Django app."""

from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    """People judge."""

    name = "annotation"
