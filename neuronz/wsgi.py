"""Django alone, for servers that speak WSGI; without /mcp, which needs ASGI."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "neuronz.settings")

application = get_wsgi_application()
