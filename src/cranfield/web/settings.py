"""Django's settings, from the environment: docs/judging/deployment.md has every variable."""

from __future__ import annotations

import os

from csp.constants import NONCE, NONE, SELF

from cranfield.web import instance

_FOLDER = instance.folder()
_TLS = os.environ.get("CRANFIELD_TLS") == "1"
"""Whether people come through a proxy that speaks TLS, as docs/judging/deployment.md has it."""

WORKSPACE = os.environ.get(instance.WORKSPACE)
"""The folder of the workspace that the application was started for, if it was."""
COLLECTION_FOLDERS = [
    folder for folder in (WORKSPACE, *os.environ.get(instance.COLLECTIONS, "").split(os.pathsep)) if folder
]
"""Where on the server indexes and collections may lie that managers name: they see nothing else of it."""
ENGINE_FILES = [file for file in os.environ.get(instance.ENGINES, "").split(os.pathsep) if file]
"""The engines that may run programs: what is in these files is the operator's."""

DEBUG = False
SECRET_KEY = instance.secret_key(_FOLDER)
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]", *os.environ.get("CRANFIELD_HOSTS", "").split()]
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in os.environ.get("CRANFIELD_HOSTS", "").split()] if _TLS else []

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "cranfield.web.accounts",
    "cranfield.web.projects",
    "cranfield.web.judging",
    "cranfield.web.tasks",
]
MIDDLEWARE = [
    "csp.middleware.CSPMiddleware",
    "cranfield.web.headers.private_pages",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "cranfield.web.urls"
WSGI_APPLICATION = "cranfield.web.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [os.path.join(os.path.dirname(__file__), "templates")],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
            ],
        },
    }
]

DATABASES = {"default": instance.database(_FOLDER, os.environ.get(instance.DATABASE))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
PASSWORD_RESET_TIMEOUT = 3 * 24 * 3600

LANGUAGE_CODE = "en"
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATICFILES_DIRS = [os.path.join(os.path.dirname(__file__), "static")]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False
UPLOAD_MAX_SIZE = 512 * 1024 * 1024
"""Of a whole request: the server takes no more, and much less where no files are uploaded (`body_limits`)."""
ANSWERS_MAX_SIZE = 20 * 1024 * 1024
"""Of a request with answers of a browser, or of a program."""
JUDGMENTS_UPLOAD_MAX_SIZE = 64 * 1024 * 1024
"""Of a file of judgments that comes in on the page of a project."""
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024

SESSION_COOKIE_NAME = "cranfield_session"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _TLS
SESSION_COOKIE_AGE = 14 * 24 * 3600
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "cranfield.web.error_pages.form_not_ours"
SECURE_SSL_REDIRECT = _TLS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if _TLS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = _TLS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _TLS else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "font-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"without_secrets": {"()": "cranfield.web.logs.WithoutSecrets"}},
    "formatters": {"lines": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "filters": ["without_secrets"], "formatter": "lines"},
    },
    "loggers": {
        name: {"handlers": ["console"], "level": os.environ.get("CRANFIELD_LOG", "WARNING")}
        for name in ("django", "cranfield", "waitress")
    },
}
