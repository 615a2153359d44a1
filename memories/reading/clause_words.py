"""Words and tags that tell where a clause may be taken off, and where it may not."""

import re

FINITE = frozenset(["VBD", "VBZ", "VBP", "MD"])
VERB = frozenset(["VBD", "VBZ", "VBP", "MD", "VBN", "VB", "VBG"])
SUBJECT = ("nsubj", "nsubjpass", "expl", "csubj")
CONTRAST = frozenset(["although", "though", "whereas", "while"])
CONDITION = frozenset(
    ["if", "unless", "when", "whenever", "once", "until", "before", "after", "because", "since", "as", "so"]
)
RELATIVE_SUBJECT = frozenset(["who", "which", "that"])
JOINTS = frozenset([",", "and", "but", "or", ";", "–", "—", "-", "yet", "so"])
#: Participles that speak of all that was said, or are prepositions by now.
OF_ALL = frozenset(
    ["including", "according", "following", "regarding", "depending", "having", "being", "making", "leading",
     "resulting", "causing", "allowing", "meaning", "starting", "beginning", "excluding", "given", "concerning",
     "considering", "using"]
)  # fmt: skip
SPEECH = frozenset(
    ["said", "says", "say", "told", "tells", "thinks", "thought", "believes", "believed", "wrote", "writes", "asked",
     "asks", "added", "adds", "noted"]
)  # fmt: skip
TAKES_UP = frozenset(["it", "he", "she", "they", "this", "these", "that", "those", "there", "we"])
DISCOURSE = re.compile(
    r"(?:however|therefore|moreover|furthermore|additionally|then|thus|also|in brief|nevertheless) ?, ", re.IGNORECASE
)
FEWEST_WORDS = 3
HAVE = frozenset(["has", "have", "had", "having", "'ve", "’ve"])
