"""Every setting, once. The environment is read through `neuronz.env`; README.md has the table."""

import os
from pathlib import Path

from kombu import Queue

from neuronz import embedded, env
from neuronz.looks import LOGIN_REDIRECT_URL, UNFOLD  # noqa: F401  # settings of the admin

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.text("NEURONZ_DATA_DIR", str(BASE_DIR / ".neuronz"))).expanduser().resolve()

# --- where it listens
HOST = env.text("NEURONZ_HOST", "127.0.0.1")
PORT = env.number("NEURONZ_PORT", 8000, least=1, most=65535)
PUBLIC_URL = env.text("NEURONZ_PUBLIC_URL", f"http://{HOST}:{PORT}")
DEBUG = env.flag("NEURONZ_DEBUG", default=False)
#: This machine's own names always work: health checks use them.
ALLOWED_HOSTS = [*env.words("NEURONZ_ALLOWED_HOSTS", [HOST]), "localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = env.words("NEURONZ_TRUSTED_ORIGINS", [])
SECRET_KEY = env.text("NEURONZ_SECRET_KEY") or embedded.secret_key(DATA_DIR)

# --- the parts
INSTALLED_APPS = [
    "neuronz",
    "memories",
    "conflicts",
    "sources",
    "unfold",
    "unfold.contrib.filters",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "pgtrigger",
    "pghistory",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "neuronz.observing.ObservingMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "neuronz.protecting.ContentPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "neuronz.people.PersonsZone",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "neuronz.idempotency.IdempotencyMiddleware",
]
AUTHENTICATION_BACKENDS = ["neuronz.people.WithPreference"]
ROOT_URLCONF = "neuronz.urls"
WSGI_APPLICATION = "neuronz.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# --- the database: DATABASE_URL, else the embedded PostgreSQL of the data folder
DATABASE_URL = env.text("DATABASE_URL") or embedded.database_url(DATA_DIR)
DATABASES = {"default": env.database("DATABASE_URL", DATABASE_URL)}
#: No request may hold the database for longer; the worker and commands may (asgi.py).
STATEMENT_TIMEOUT_SECONDS = env.number("NEURONZ_STATEMENT_TIMEOUT", 60)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- background work: CELERY_BROKER_URL, else the embedded Valkey of the data folder
CELERY_BROKER_URL = env.text("CELERY_BROKER_URL") or embedded.broker_url(DATA_DIR)

#: A task that a dying worker held is done again, so every task may run twice; its service claims the work.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
#: A dead broker must not hold up a request: the sweep finds later what could not be announced now.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.1}
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 2, "socket_timeout": 2, "visibility_timeout": 900}

#: The embedded servers that stand in for what is not configured.
EMBEDDED = [
    name
    for name, variable in ((embedded.POSTGRES, "DATABASE_URL"), (embedded.VALKEY, "CELERY_BROKER_URL"))
    if not env.text(variable)
]

#: What beat starts, in seconds. Every one finds its own work in the database, so a missed or doubled tick is harmless.
CELERY_BEAT_SCHEDULE = {
    "sweep_writes": {"task": "memories.tasks.sweep_writes", "schedule": 15.0},
    "embed_waiting": {"task": "memories.tasks.embed_waiting", "schedule": 30.0},
    "keep_word_index": {"task": "memories.tasks.keep_word_index", "schedule": 60.0},
    "build_vector_indexes": {"task": "memories.tasks.build_vector_indexes", "schedule": 300.0},
    "wake_put_off": {"task": "conflicts.tasks.wake_put_off", "schedule": 60.0},
    "think_when_due": {"task": "memories.tasks.think_when_due", "schedule": 60.0},
    "sync_due": {"task": "sources.tasks.sync_due", "schedule": 20.0},
    "forget_what_was_given": {"task": "memories.tasks.forget_what_was_given", "schedule": 3600.0},
    "forget_old_answers": {"task": "memories.tasks.forget_old_answers", "schedule": 3600.0},
}
#: A worker takes from all, unless it is told otherwise (-Q): a sync and cognition may take long (docs/operations.md).
CELERY_TASK_QUEUES = [Queue(name) for name in ("celery", "reading", "sync", "cognition")]
CELERY_TASK_ROUTES = {
    "memories.tasks.read_write": {"queue": "reading"},
    "memories.tasks.run_cognition": {"queue": "cognition"},
    "sources.tasks.read_upload": {"queue": "sync"},
    "sources.tasks.sync_source": {"queue": "sync"},
}
#: Counts of requests are shared by all web processes where the broker can hold them.
CACHES = {"default": env.cache(CELERY_BROKER_URL)}

# --- what is logged: names and counts, never content
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "neuronz.logs.Traceless", "format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {"()": "neuronz.logs.JsonLine"},
    },
    "filters": {"context": {"()": "neuronz.logs.Context"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "filters": ["context"],
            "formatter": env.one_of("NEURONZ_LOG_FORMAT", ["line", "json"]),
        }
    },
    "root": {"handlers": ["stderr"], "level": env.text("NEURONZ_LOG_LEVEL", "INFO")},
    "loggers": {
        "django.request": {"level": "ERROR"},  # what callers do wrong stands in neuronz.requests
        "httpx": {"level": "WARNING"},
        "httpcore": {"level": "WARNING"},  # it would write the headers of answers
        "sentence_transformers": {"level": "WARNING"},
        "mcp": {"level": "WARNING"},  # it would say of every request that its session ends
        # These would say of every task that it was sent, has come, and is done.
        "celery.beat": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
    },
}

#: Where the processes of this machine put what they count, for /metrics; empty where there is no folder for it.
METRICS_DIR = embedded.metrics_dir(env.text("NEURONZ_METRICS_DIR"), DATA_DIR)
if METRICS_DIR:  # the package reads it when it is imported, so before any app is
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = METRICS_DIR
METRICS_KEY = env.text("NEURONZ_METRICS_KEY")

# --- the doors
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["neuronz.auth.AgentKeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["neuronz.auth.KeyPermits"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["neuronz.parsing.BoundedJSONParser"],
    "DEFAULT_PAGINATION_CLASS": "neuronz.pagination.NewestFirst",
    "DEFAULT_THROTTLE_CLASSES": ["neuronz.throttling.PerKey"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "neuronz.errors.answer",
    "URL_FORMAT_OVERRIDE": None,  # an unknown ?format= is refused by name like any other, not answered with a 404
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Neuronz",
    "DESCRIPTION": "Persistent memory for AI agents: one clear fact per entry, with status, authority and history.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",  # served from here: no page of ours needs another host
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "Kind": "memories.choices.Kind",
        "Category": "memories.choices.Category",
        "EntityType": "memories.choices.EntityType",
        "Tier": "memories.choices.Tier",
        "Scope": "memories.choices.Scope",
        "Status": "memories.choices.Status",
        "Origin": "memories.choices.Origin",
        "Outcome": "memories.choices.Outcome",
        "Verb": "memories.choices.Verb",
        "WriteState": "memories.choices.WriteState",
        "ConflictState": "conflicts.choices.State",
        "SourceState": "sources.choices.SourceState",
        "RunState": "sources.choices.RunState",
    },
}
#: The JSON parser has its own bound and a sentence for it; Django's would answer without one.
DATA_UPLOAD_MAX_MEMORY_SIZE = 16 * 2**20
RATE_PER_MINUTE = env.number("NEURONZ_RATE", 3000, least=1)
#: Modules with a list TOOLS, which the MCP door serves.
MCP_TOOLS = ["memories.tools", "memories.tools_graph", "memories.tools_recall", "conflicts.tools"]
#: What each app brings to an export, in an order in which it can be put back: lists of Table.
EXPORTERS = ["memories.services.exchange.records.TABLES", "conflicts.exporting.TABLES", "sources.exporting.TABLES"]
#: What each app does when text is erased: objects of memories/services/erasing/eraser.py.
ERASERS = [
    "memories.services.erasing.memories.ERASER", "memories.services.erasing.traces.ERASER",
    "conflicts.erasing.ERASER", "sources.erasing.ERASER",
]  # fmt: skip
#: With it, erased statements are known again. Whoever changes it lets them back in.
ERASURE_KEY = env.text("NEURONZ_ERASURE_KEY") or embedded.erasure_key(DATA_DIR)

# --- sources
#: Credentials of sources are encrypted with the first and opened with any: put a new one in front, then `reseal`.
SOURCE_SECRET_KEYS = env.words("NEURONZ_SECRET_KEYS", []) or [embedded.source_key(DATA_DIR)]
SOURCE_SECRET_KEYS_ARE_MADE = not env.text("NEURONZ_SECRET_KEYS")
#: The folders that a folder source may read; none named: any that a superuser chooses.
FOLDER_ROOTS = env.words("NEURONZ_FOLDER_ROOTS", [])
#: So many sources are read at the same time at most, so that agents' texts find a free worker.
SYNCS_AT_ONCE = env.number("NEURONZ_SYNCS_AT_ONCE", 1, least=1, most=64)

# --- reading and meaning
EMBEDDER = env.text("NEURONZ_EMBEDDER", "packaged")
#: A cross-encoder in a folder, for searches that ask for `rerank`; none by default.
RERANKER = env.text("NEURONZ_RERANKER")
#: How a committed write reaches a worker; services know no broker.
ENQUEUE_READING = "memories.tasks.enqueue_reading"
#: plain (rules), model (a language model, below), or the dotted path of a class.
READER = env.text("NEURONZ_READER", "plain")
#: A cross-encoder (NLI) in a folder, which looks at what the reader compares; none by default.
JUDGE = env.text("NEURONZ_JUDGE")
#: An OpenAI-compatible server: Ollama, vLLM, llama.cpp or a hosted one. Nothing is asked unless READER is model.
MODEL_URL, MODEL, MODEL_KEY = env.text("NEURONZ_MODEL_URL"), env.text("NEURONZ_MODEL"), env.text("NEURONZ_MODEL_KEY")
#: Seconds one request may take; how the model is held to the form of its answer; tokens per product and day.
MODEL_TIMEOUT = env.number("NEURONZ_MODEL_TIMEOUT", 60, least=1, most=600)
MODEL_OUTPUT = env.one_of("NEURONZ_MODEL_OUTPUT", ["native", "tool", "prompted"])
MODEL_TOKENS_PER_DAY = env.number("NEURONZ_MODEL_TOKENS_PER_DAY", 1_000_000)

# --- cognition
#: Its steps, in the order in which they run: objects of memories/cognition/base.py.
COGNITION_STEPS = [
    "memories.cognition.upkeep.STEP",
    "conflicts.cognition.WAKE",
    "memories.cognition.consolidate.STEP",
    "conflicts.cognition.SWEEP",
    "memories.cognition.summaries.STEP",
    "memories.cognition.schemas.STEP",
    "memories.cognition.intentions.STEP",
    "memories.cognition.letting_go.STEP",
]
#: Who says whether two wordings are the same thing: a function as in memories/cognition/judging.py.
COGNITION_JUDGE = "memories.cognition.judging.plain"
#: In so many products it runs at the same time at most, so that agents' texts find a free worker.
COGNITION_AT_ONCE = env.number("NEURONZ_COGNITION_AT_ONCE", 1, least=1, most=64)

# --- sources: what a connector may reach
#: Off, so that an address or a redirect can't open this machine or its network. On for servers inside that network.
SOURCES_ALLOW_PRIVATE_ADDRESSES = env.flag("NEURONZ_ALLOW_PRIVATE_SOURCES", default=False)

# --- people's sessions: where the site is reached by https, their cookies never travel without it
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PUBLIC_URL.startswith("https://")
#: … and browsers that came once come by https for a year. NEURONZ_HSTS_SECONDS=0 takes it back.
SECURE_HSTS_SECONDS = env.number("NEURONZ_HSTS_SECONDS", 31_536_000 if SESSION_COOKIE_SECURE else 0)
#: `check --deploy` asks for three things that are not ours to decide: what other names of the same domain do (W005,
#: W021), and sending http on to https, which belongs to the proxy that ends TLS (W008; here it could loop).
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W008", "security.W021"]

# --- looks and language
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "static/"
#: The web server serves static files from the packages. To have them collected, name a folder and run collectstatic.
WHITENOISE_USE_FINDERS = True
STATIC_ROOT = env.text("NEURONZ_STATIC_ROOT") or None

#: torch's threads must sleep while they wait: spinning, two processes on the same cores slow each other tenfold.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # no model hub at run time, whatever a library tries
