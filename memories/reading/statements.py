"""Which passages say something that is worth keeping: greetings, questions and guesses do not.

Tables first; each pattern is tried at the beginning of a sentence unless it says otherwise.
English is widest; the other languages have their basics.
"""

import re

from memories.reading.inline import is_bare_link
from memories.reading.phrases import any_of, words
from memories.reading.tokens import COMMON, tokens

_SPACELESS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")
_KEY_VALUE = re.compile(r"[^\s:][^:]{0,60}:\s+\S|[^\s=]{1,60}\s*=\s*\S|[^\s:：]{1,40}：\s*\S|.{1,60}\s(?:->|→|=>)\s*\S")
_QUESTION = re.compile(r"[?？؟][\W_]*$")
_LEAD_IN = re.compile(r"[:：]$")
_TWO_WORD_SENTENCE = re.compile(r"[A-ZÀ-Þ]\S* [a-z]{2,}(?:s|ed)[.!]$")


#: Words before the statement proper. They are left out, and what follows is looked at by itself.
_GREETED = (
    r"(?:hi|hiya|hello|hey|dear|good (?:morning|afternoon|evening)|hallo|bonjour|hola)"
    r"(?: (?!(?:the|a|we|i|it)\b)\w+){0,2}"
)
_OPENERS = any_of("""
ok, okay, yes, yep, yeah, yup, sure, no, nah, well, so, also, btw, by the way, fyi, oh, ah, haha, ah good, got it,
understood, cool, great, fine, thx, thanks, sorry, quick one, heads-up, note, one more thing, however, moreover,
furthermore, additionally, in addition, therefore, thus, nevertheless, as a result, for example, for instance,
of course, in fact, indeed, overall, finally, similarly, honestly, anyway, actually, basically, to recap,
in short, in summary, for the record, for your information, for future reference, just so you know, for context,
(?:just )?a reminder, reminder, please (?:note|remember|keep in mind), remember, keep in mind
""")
_FRAMES = (
    r"(?:(?:please )?(?:note|keep in mind|bear in mind|remember|be aware|don['’]t forget)|you should (?:also )?know"
    r"|it(?:['’]s| is) (?:also )?(?:worth|important to|worth to)"
    r" (?:not(?:e|ing)|mention(?:ing)?)) that"
)
_OPENER = re.compile(rf"(?:(?:{_GREETED}|{_OPENERS})[,.!:]\s+|{_FRAMES}\s+)+", re.IGNORECASE)
_PLEASANTRIES = r"""
hi+, hiya, hello, hey, dear, good (?:morning|afternoon|evening|night|luck), greetings, hallo, moin,
guten (?:tag|morgen|abend), bonjour, salut, hola, buen[oa]s, ciao,
(?:(?:best|kind|kindest|warm|many) )?(?:regards|wishes), cheers, yours (?:sincerely|faithfully|truly), sincerely,
(?:mit )?(?:freundlichen|viele|liebe|beste) grüße, cordialement, saludos,
(?:many |big |with )?thanks?, thx, ty, (?:vielen )?danke?, merci, (?:muchas )?gracias,
see (?:you|ya), (?:good)?bye, have (?:a|an) (?:nice|great|good|lovely), have fun, enjoy, take care, ttyl,
talk (?:soon|later), fingers crossed, no (?:problem|worries), you['’]?re welcome, my pleasure,
sounds (?:good|great), got it, understood, makes sense, of course, sure, ok, okay, yes, yep, yeah, nah, lol, haha+,
wow, cool, great, nice, exciting, congrat\w*, happy (?:birthday|new year|holidays), sorry,
(?:i |we )?hope (?:you|all|this|that|everyone), let me know, let['’]?s (?:look|talk|discuss|see|chat|catch up),
feel free, shout if, just (?:wanted|testing|checking), (?:how|what) can i (?:help|do), i['’]m here,
(?:i['’]?m |i['’]d be )?(?:glad|happy) to, here you go, here['’]?s (?:what|a|the|my), nobody (?:knows?|knew),
can['’]?t promise, lorem ipsum, todo: write, same as (?:yesterday|before), (?:i )?wish you, what a,
"""
#: Scripts without spaces between words have no border to look for.
_SPACELESS_PLEASANTRIES = """
你好, 您好, 大家好, 早上好, 谢谢, 多谢, 感谢, 哈哈, 好的, 没问题, 再见, 此致,
こんにちは, おはよう, こんばんは, ありがとう, 了解です, よろしく, สวัสดี, ขอบคุณ,
"""
_GUESSES = """
maybe, perhaps, possibly, presumably, probably, i (?:think|guess|suppose|wonder|assume), (?:just )?wondering,
it(?: is|['’]s| remains) (?:not |un)(?:clear|known|certain|possible|sure) (?:whether|how|what|why|if|when|who),
it(?: is|['’]s| would be) (?:difficult|hard|impossible|not possible) to (?:say|tell|know|predict|determine|estimate),
vielleicht, vermutlich, ich glaube, peut-être, quizás?, tal vez, creo que,
"""
_SPACELESS_GUESSES = "也许, 大概, 说不定, たぶん, おそらく"
_DOUBTS = """
maybe, not (?:quite |entirely |really |so )?sure, no (?:idea|clue), who knows, i (?:guess|suppose), might be wrong,
could be (?:anything|that|because), don['’]?t know (?:if|whether|yet), nicht sicher, keine ahnung, pas sûr,
no estoy segur[oa],
"""
_SPACELESS_DOUBTS = "不确定, かもしれ"

_PLEASANTRY = re.compile(rf"(?:{any_of(_PLEASANTRIES)})(?!\w)|{any_of(_SPACELESS_PLEASANTRIES)}", re.IGNORECASE)
_GUESSED = re.compile(rf"(?:{any_of(_GUESSES)})(?!\w)|{any_of(_SPACELESS_GUESSES)}", re.IGNORECASE)
#: Anywhere in the sentence.
_DOUBT = re.compile(rf"(?<!\w)(?:{any_of(_DOUBTS)})(?!\w)|{any_of(_SPACELESS_DOUBTS)}", re.IGNORECASE)
#: A longer sentence carries something besides the pleasantry.
_ASIDE = words("shout if, let me know, sorry again, can['’]t promise, ping me, thanks again, thanks in advance")
_LONGEST_PLEASANTRY = 12
_FEWEST_WORDS = 3
_LONGEST_DATE = 6
_DIGIT = re.compile(r"\d")


def opener_length(passage: str) -> int:
    """How much of the passage is "hey, quick one: " before it comes to the point."""
    match = _OPENER.match(passage)
    return match.end() if match and match.end() < len(passage) else 0


def is_statement(text: str) -> bool:
    """Whether a cleaned sentence says something. Without knowing more than the sentence."""
    if not text or is_bare_link(text) or _QUESTION.search(text[-20:]) or _LEAD_IN.search(text):
        return False
    if _GUESSED.match(text) or _DOUBT.search(text):
        return False
    length = _word_count(text)
    if length <= _LONGEST_PLEASANTRY and _is_pleasant(text):
        return False
    if length >= _FEWEST_WORDS:
        return length > _LONGEST_DATE or not _DIGIT.search(text) or not _is_date(text)
    return length > 0 and bool(_KEY_VALUE.match(text) or _TWO_WORD_SENTENCE.match(text))


def _is_pleasant(text: str) -> bool:
    return bool(_PLEASANTRY.match(text) or _ASIDE.search(text)) and not any(map(str.isdigit, text))


def _is_date(text: str) -> bool:
    """ "Wed 7 Oct" heads a note and says nothing."""
    return all(token.kind in {"date", "number"} or token.key in COMMON for token in tokens(text))


def _word_count(text: str) -> int:
    """Words; in scripts without spaces two characters count as one."""
    spaceless = len(_SPACELESS.findall(text))
    return spaceless // 2 + len(_WORD.findall(_SPACELESS.sub(" ", text) if spaceless else text))
