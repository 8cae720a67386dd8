"""Settings for tests: the product's own, with fast hashing and a data folder that goes away."""

import os
import tempfile

_folder = tempfile.TemporaryDirectory(prefix="assay-tests-")
os.environ.setdefault("ASSAY_DATA", _folder.name)
# The first process of a run sets it; those it starts inherit it.
RUN_FOLDER = os.environ.setdefault("ASSAY_TEST_FOLDER", _folder.name)
IS_FIRST_PROCESS = _folder.name == RUN_FOLDER
# Threads of numpy and torch wait for each other busily, on processors that other tests are to have.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, MIDDLEWARE  # noqa: E402

if "TELLS_PROCESSOR_TIME" in os.environ:
    MIDDLEWARE = ["tests.faults.visitors.tell_processor_time", *MIDDLEWARE]
# Each client of a test would look through all files of the pages before its first request.
WHITENOISE_AUTOREFRESH = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CELERY_TASK_ALWAYS_EAGER = False
# Tests of rules read what votes come to right after them; real servers and the twins settle later.
ASSAY_SETTLES_AT_ONCE = "SETTLES_LATER" not in os.environ
# A name of its own for each folder: two checkouts may test on one server at the same time.
DATABASES["default"].setdefault("TEST", {})
if "postgresql" in DATABASES["default"]["ENGINE"]:
    DATABASES["default"]["TEST"]["NAME"] = os.environ.get("ASSAY_TEST_DATABASE", f"test_assay_{os.getpid()}")
