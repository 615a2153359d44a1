"""One module per labelled set: `FIGURES` says what it measures, `measure(folder)` measures it."""
