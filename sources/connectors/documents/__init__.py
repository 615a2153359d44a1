"""Documents of an office as Markdown: PDF, Word, PowerPoint, Excel, HTML, CSV."""

from sources.connectors.documents.reader import Documents, Unfit, fitting, plain_text

__all__ = ["Documents", "Unfit", "fitting", "plain_text"]
