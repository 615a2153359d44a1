"""A product on its way out and back in: JSON Lines, one record a line.

tables.py     what a record is: its columns, its links, whom it is shown to
records.py    the records of this app; other apps bring their own, named in the setting EXPORTERS
exporting.py  rows → lines, in one snapshot and in bounded memory
checking.py   what must be true of the lines together
restoring.py  lines → rows as they were: the only place where guards are lifted, each by its name
"""
