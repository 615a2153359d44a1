"""Erasing: text that goes for good, from every place it reached. The verbs are in services/erasure.py.

targets.py what goes with what was chosen · words.py the text to look for and to mask · eraser.py what every app brings,
and the one place that lifts the database's guards · memories.py and traces.py the erasers of this app ·
digests.py and keeping_out.py what keeps it from coming back · verification.py where words still are
"""
