"""Large libraries are imported by one thread at a time.

spaCy and sentence-transformers share packages that import each other in circles; two threads that begin with either of
them at once see a half-made module and fail.
"""

import threading

import scipy.sparse  # noqa: F401  # pgvector looks for it among the modules, and would take it half made

ONE_AT_A_TIME = threading.RLock()
