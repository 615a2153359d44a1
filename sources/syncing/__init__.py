"""The daemon's pass over one source: claimed, page by page, item by item, and closed with its counts.

engine.py runs a pass · claims.py lets one process at a time do it · items.py reads one item and keeps its memories in
step · sweeps.py finds what has vanished · preview.py says what a pass would do
"""
