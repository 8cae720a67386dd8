"""Settings for browser tests: the product's own, with fast hashing: people sign in a hundred times."""

from config.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
