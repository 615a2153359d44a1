"""How memory maintains itself: steps that run in the background, each resting on what stands in memory already.

base.py what a step is and gets · runner.py a run over all steps · claims.py one run at a time, and who is due ·
reading.py what a step may read: shared, current statements, those that changed first
"""
