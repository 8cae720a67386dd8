"""Settings for tests: the product's own, with fast hashing and a data folder that goes away."""

import os
import tempfile

_folder = tempfile.TemporaryDirectory(prefix="assay-tests-")
os.environ.setdefault("ASSAY_DATA", _folder.name)
# The first process of a run sets it; those it starts inherit it.
RUN_FOLDER = os.environ.setdefault("ASSAY_TEST_FOLDER", _folder.name)
IS_FIRST_PROCESS = _folder.name == RUN_FOLDER

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES  # noqa: E402

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
AXES_ENABLED = False
CELERY_TASK_ALWAYS_EAGER = False
# A name of its own for each folder: two checkouts may test on one server at the same time.
DATABASES["default"].setdefault("TEST", {})
if "postgresql" in DATABASES["default"]["ENGINE"]:
    DATABASES["default"]["TEST"]["NAME"] = os.environ.get("ASSAY_TEST_DATABASE", f"test_assay_{os.getpid()}")
