"""How well reading reads: labelled sets, one module each in `sets/`, and one command that measures them all.

python -m benchmarks.reading --data DIR [--json FILE] [--only names]
"""
