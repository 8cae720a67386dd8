"""Django's settings, read from the environment; the defaults run an embedded installation."""

from pathlib import Path

from config.env import (
    BASE_DIR,
    CODE_DIR,
    code,
    data_folder,
    database,
    env,
    llm_allowed_hosts,
    local_models,
    log_format,
    mail_server,
    project_creators,
    public_url,
    quota,
    redis_url,
    secret_key,
    shared_memory,
    single_sign_on,
    trusted_proxies,
    web_processes,
)

# Other code may make other replies.
ASSAY_CODE = code()
IS_WHEEL = BASE_DIR != CODE_DIR
DATA_DIR = data_folder()
SECRET_KEY = secret_key(folder=DATA_DIR)
# Older secrets, which still read stored API keys and sessions after SECRET_KEY was changed.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
HTTPS = env.bool("ASSAY_HTTPS", default=False)

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "annotation",
    "judges",
    "commands",
    "config",
]

MIDDLEWARE = [
    "common.requests.naming.NamesRequests",
    "common.web.replies.CompressesReplies",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "common.web.door.Door",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

# Whoever collects /metrics sends it; without one there is no such address, and nothing is counted.
ASSAY_METRICS_TOKEN = env.str("ASSAY_METRICS_TOKEN", default="")

ROOT_URLCONF = "config.urls"
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]

DATABASES = {"default": database(folder=DATA_DIR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "annotation.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
PASSWORD_RESET_TIMEOUT = 24 * 60 * 60  # seconds
# Proxies whose X-Forwarded-For is believed; wrong passwords are counted by client.
ASSAY_TRUSTED_PROXIES = trusted_proxies()
# "everyone", or who was granted it: accounts that the operator made, and those named by `project_creator`.
ASSAY_PROJECT_CREATORS = project_creators(hosts=ALLOWED_HOSTS)

# By whom people may sign in besides their password: OpenID Connect.
ASSAY_SSO = single_sign_on()

LANGUAGE_CODE = "en"
# The front end's are in frontend/src/lib/i18n/languages.ts; a request says which one its page speaks.
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
TIME_ZONE = "UTC"
USE_TZ = True

FRONTEND_DIST = Path(env.str("ASSAY_FRONTEND", default=str(BASE_DIR / "frontend" / "dist")))
STATIC_URL = "/static/"
STATICFILES_DIRS = [FRONTEND_DIST] if FRONTEND_DIST.is_dir() else []
WHITENOISE_USE_FINDERS = True
WHITENOISE_MAX_AGE = 0 if DEBUG else 3600
# Vite puts a hash of the content into every name below assets/.
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/assets/.+$"

SESSION_ENGINE = "common.web.door"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
# Whoever watches comes by plain HTTP.
SECURE_REDIRECT_EXEMPT = [r"^(healthz|metrics)$"]
# Browsers remember it, and nothing takes it back: only as asked.
SECURE_HSTS_SECONDS = env.int("ASSAY_HSTS_SECONDS", default=0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("ASSAY_HSTS_SUBDOMAINS", default=False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "common.web.pages.serve_csrf_failure"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["common.web.door.TokenOrSession"],
    "DEFAULT_PERMISSION_CLASSES": ["common.web.door.DeclaredRoles"],
    "DEFAULT_RENDERER_CLASSES": ["common.web.door.SendableJSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["common.web.door.CheckedJSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "common.web.door.OneFormat",
    "DEFAULT_SCHEMA_CLASS": "common.help.schema.OperationSchema",
    "EXCEPTION_HANDLER": "common.web.http.handle_exception",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Assay",
    "VERSION": "1",
    "COMPONENT_SPLIT_REQUEST": True,
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "common.help.schema.describe_all",
    ],
    "ENUM_NAME_OVERRIDES": {
        "ScopeEnum": "judges.comparison.rules.study.Scope",
        "ScoreUnitEnum": "judges.comparison.rules.study.Unit",
        "CreditEnum": "annotation.projects.rules.Credit",
        "TokenScopeEnum": "annotation.accounts.models.ApiToken.Scope",
        "RoleEnum": "annotation.projects.models.Membership.Role",
        "OrganizationRoleEnum": "annotation.projects.models.OrganizationMember.Role",
        "MemberStateEnum": "annotation.projects.models.Membership.State",
        "ProjectStateEnum": "annotation.projects.models.Project.State",
        "ImportStateEnum": "annotation.items.models.DataImport.State",
        "CandidateStateEnum": "annotation.items.models.Candidate.State",
        "RoundEnum": "annotation.assignments.models.Assignment.Round",
        "FlagKindEnum": "annotation.assignments.models.QuestionFlag.Kind",
        "JudgmentStateEnum": "annotation.judgments.models.Judgment.State",
        "DecisionSourceEnum": "annotation.adjudication.models.Decision.Source",
        "CategoryEnum": "annotation.adjudication.api.CATEGORY_KEYS",
        "ReasonEnum": "annotation.adjudication.rules.QueueReason",
        "LabelViewEnum": "annotation.agreement.rules.votes.LabelView",
        "AgreementDimensionEnum": "annotation.agreement.rules.slices.Dimension",
        "GoldActionEnum": "annotation.gold.models.GoldChange.Action",
        "SubjectEnum": "judges.tagging.rules.sets.Subject",
        "ReferenceSubjectEnum": "judges.comparison.models.ReferenceScore.Subject",
        "PilotOutcomeEnum": "annotation.assignments.models.Pilot.Outcome",
        "ExportStateEnum": "annotation.release.models.Export.State",
        "RunStateEnum": "judges.runs.models.JudgeRun.State",
        "LeaderboardColumnKindEnum": "judges.comparison.rules.study.Kind",
        "PolicyConditionEnum": "judges.prejudging.rules.policies.Condition",
        "PolicyMeaningEnum": "judges.prejudging.rules.policies.Meaning",
        "PolicyApplicationStateEnum": "judges.prejudging.models.PolicyApplication.State",
        "CallStateEnum": "judges.runs.models.Call.State",
    },
}

REDIS_URL = redis_url(folder=DATA_DIR)
CELERY_BROKER_URL = REDIS_URL
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    "shared": shared_memory(REDIS_URL),
}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
# On Redis 0 comes first: judges and webhooks wait until nothing else does that people wait for.
CELERY_TASK_ROUTES = {"judges.runs.work": {"priority": 9}, "judges.webhooks.send": {"priority": 9}}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Workers log as web servers do.
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# By default a worker gives up after a hundred attempts, about fifty minutes; None is for ever.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# A doorbell nobody hears is rung again by the sweeper, so publishing gives up at once.
CELERY_TASK_PUBLISH_RETRY = False
# By default kombu tries three times and sleeps 6 s over it, inside the request that rings.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_connect_timeout": 2,
    "socket_timeout": 30,
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
    "interval_max": 0.1,
}
ASSAY_SWEEP_SECONDS = env.float("ASSAY_SWEEP_SECONDS", default=30.0)
# What is swept, and by whom.
CELERY_IMPORTS = ["config.steps.sweeper"]
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "config.sweep", "schedule": ASSAY_SWEEP_SECONDS},
    # And whenever a worker starts.
    "sweep-hourly": {"task": "config.sweep_hourly", "schedule": 3_600.0},
    # A run over a connection that had to wait for its turn goes on within this time.
    "wake-runs": {"task": "judges.runs.wake", "schedule": 2.0, "options": {"expires": 2}},
    # Late by more than ten seconds it tells that nobody sweeps: `judges.runs.selectors.progress`.
    "show-life": {"task": "judges.runs.show_life", "schedule": 5.0, "options": {"expires": 5}},
}

FILE_UPLOAD_MAX_MEMORY_SIZE = 2_621_440
DATA_UPLOAD_MAX_MEMORY_SIZE = 5_242_880

# So long a client may send nothing of its request, or take nothing of the reply.
ASSAY_CLIENT_PATIENCE_SECONDS = env.int("ASSAY_CLIENT_PATIENCE_SECONDS", default=20, low=1)
ASSAY_WEB_PROCESSES = web_processes(DATABASES["default"])
ASSAY_UPLOAD_MAX_BYTES = env.int("ASSAY_UPLOAD_MAX_BYTES", default=200_000_000, low=1)
ASSAY_UPLOAD_MAX_ROWS = env.int("ASSAY_UPLOAD_MAX_ROWS", default=2_000_000, low=1)
ASSAY_UPLOAD_MAX_LINE_BYTES = env.int("ASSAY_UPLOAD_MAX_LINE_BYTES", default=1_000_000, low=1)
# Of uploads: what is kept of one person's and of one project's, and how many of each wait to be confirmed.
ASSAY_PERSON_UPLOAD_BYTES = quota("ASSAY_PERSON_UPLOAD_BYTES", default=10_000_000_000)
ASSAY_PROJECT_UPLOAD_BYTES = quota("ASSAY_PROJECT_UPLOAD_BYTES", default=5_000_000_000)
ASSAY_UPLOADS_WAITING = quota("ASSAY_UPLOADS_WAITING", default=20)
# How long the log of sign-ins goes back.
ASSAY_SIGN_IN_DAYS = quota("ASSAY_SIGN_IN_DAYS", default=90)
# Of one account: requests that it may send again, each for a day.
ASSAY_IDEMPOTENCY_KEYS = quota("ASSAY_IDEMPOTENCY_KEYS", default=10_000)
# A check of files that takes longer is stopped: it keeps a worker from everybody else's.
ASSAY_CHECK_SECONDS = env.int("ASSAY_CHECK_SECONDS", default=600)
# Longer than any batch takes; with the sweeper's 30 s a dead worker's batch moves again within a minute.
ASSAY_RUN_LEASE_SECONDS = env.int("ASSAY_RUN_LEASE_SECONDS", default=25, low=1)
# For so long nobody calls a provider that fails every call.
ASSAY_OUTAGE_REST_SECONDS = env.float("ASSAY_OUTAGE_REST_SECONDS", default=10.0)
# False: what votes come to is found out after the reply, whose time would tell of others' votes.
ASSAY_SETTLES_AT_ONCE = False
# On average so long after a reply; each time is drawn anew.
ASSAY_SETTLE_SECONDS = 1.0
ASSAY_LEASE_SECONDS = env.int("ASSAY_LEASE_SECONDS", default=1_500, low=1)

# Links in email begin with it.
ASSAY_PUBLIC_URL = public_url()
_MAIL = mail_server(public_url=ASSAY_PUBLIC_URL)
ASSAY_SENDS_MAIL = bool(_MAIL.host)
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if ASSAY_SENDS_MAIL else 'dummy'}.EmailBackend"
EMAIL_HOST, EMAIL_PORT, EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _MAIL[:4]
EMAIL_USE_TLS, EMAIL_USE_SSL = _MAIL.uses_starttls, _MAIL.uses_tls
DEFAULT_FROM_EMAIL = _MAIL.sender
# For each step of a delivery.
EMAIL_TIMEOUT = 10

# Where language models may be called: "public", host names, addresses and networks, with a port or without.
ASSAY_LLM_ALLOWED_HOSTS = llm_allowed_hosts()
# Models that workers may load for an LLM judge, by the names that leads choose.
ASSAY_LOCAL_MODELS = local_models()

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    # The request that a line belongs to stands between its logger and its words, "-" for none.
    "formatters": {
        "text": {"format": "%(asctime)s %(levelname)s %(name)s %(request_id)s %(message)s"},
        "json": {"()": "common.requests.logs.JsonLines"},
    },
    "filters": {
        "request": {"()": "common.requests.logs.TellsRequest"},
        "tokens": {"()": "common.requests.logs.HidesTokens"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": log_format(),
            "filters": ["request", "tokens"],
        }
    },
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {"django.request": {"level": "ERROR"}},
}
