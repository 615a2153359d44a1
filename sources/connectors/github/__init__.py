"""GitHub: documents of a branch, issues, pull requests, discussions and releases of one repository.

connector.py declares the fields and goes through the parts · api.py speaks REST and GraphQL through githubkit ·
docs.py, talks.py, discussions.py and releases.py read one part each · rendering.py turns a talk into text
"""

from sources.connectors.github.connector import GitHub

__all__ = ["GitHub"]
