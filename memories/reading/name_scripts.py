"""Names in scripts without capitals, by what stands beside them: honorifics, titles, quotes, surnames. Pure."""

import re
from collections.abc import Iterator

from memories.choices import EntityType

#: The commonest surnames of Chinese.
_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾萧田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈"
    "姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛阎段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
)
#: What stands behind a Chinese name in a sentence.
_AFTER = "负是在说的和与有要喜住来去会认将从对把给向已也领管写用不主"
_TITLES = "السيد|السيدة|الدكتور|الدكتورة|الأستاذ|المهندس|المهندسة"
_PERSONS = (
    r"(?P<name>[\u4e00-\u9fff々]{1,4}|[\u30a1-\u30faー・]{2,12})(?:さん|氏|様|くん|ちゃん)",
    r"(?P<name>[가-힣]{2,4})(?:님|\s?씨)(?![가-힣]{3})",
    rf"(?:^|[，。、；：\s])(?P<name>[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}?)(?=[{_AFTER}])",
    rf"(?:{_TITLES})\s(?P<name>[\u0621-\u064a]{{2,}})",
    r"(?:श्री|श्रीमती|डॉ\.?)\s(?P<name>[\u0900-\u097f]{2,}(?:\s[\u0900-\u097f]{3,})?)",
    r"คุณ(?P<name>[\u0e00-\u0e7f]{2,12})(?=\s|$)",
)
_PATTERNS = (
    *((re.compile(each), EntityType.PERSON) for each in _PERSONS),
    (re.compile(r"(?P<name>[\u4e00-\u9fff]{2,6})(?=市|県|省)"), EntityType.PLACE),
    (
        re.compile(r"(?P<name>[\u4e00-\u9fff\u30a1-\u30faー]{2,12}(?:株式会社|有限公司|公司|大学))"),
        EntityType.ORGANISATION,
    ),
    (re.compile(r"《(?P<name>[^《》\n]{1,40})》"), EntityType.DOCUMENT),
    (re.compile(r"[「『](?P<name>[^「」『』。、\n]{1,20})[」』]"), EntityType.TERM),
)
_OTHER_SCRIPT = re.compile(r"[\u0590-\u0e7f\u1100-\u11ff\u3000-\u9fff가-힣]")


def found(text: str) -> Iterator[tuple[str, EntityType]]:
    """Each name and what it names, the first pattern first. Nothing where the script has capitals to go by."""
    if not _OTHER_SCRIPT.search(text):
        return
    for pattern, kind in _PATTERNS:
        for match in pattern.finditer(text):
            yield match["name"], kind
