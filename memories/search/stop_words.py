"""Words that tell a language and say nothing else, in their folded form."""

STOP_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "english": """
            a an and are as at be been but by can d did do does for from had has have he her his how i if in
            into is it its l ll m me my not of on or our re s she so t than that the their them then there they
            this to ve was we were what when where which who whom why will with would you your
        """,
        "german": """
            aber als am an auch auf aus bei bin bis das dass dem den der des die dies diese dieser du durch ein
            eine einem einen einer eines er es fur habe haben hat ich ihr im in ist ja kann mein mit nach nicht
            noch nur oder sein sich sie sind uber um und uns unter vom von vor war warum was wenn wer werden wie
            wir wird wo zu zum zur
        """,
        "french": """
            a au aux avec c ce ces cette d dans de des du elle elles en est et eux il ils j je l la le les leur
            leurs lui m ma mais me mes mon n ne nos notre nous on ou par pas pour qu que qui quoi s sa se ses
            son sont sur t ta te tes ton tu un une vos votre vous y
        """,
        "spanish": """
            a al como con cual cuando de del desde donde el ella ellas ellos en entre era es esta este esto
            estos fue ha hay la las le les lo los mas me mi muy no nos o para pero por porque que quien se ser
            si sin sobre son su sus tambien te tiene todo un una uno y ya yo
        """,
        "italian": """
            a ad ai al alla alle anche che chi ci come con cui da dal dalla dei del della delle di dove e ed era
            gli ha ho i il in io la le lo loro ma mi ne nei nel nella noi non o per perche piu quale quando
            questa questo se si sono su sul sulla tra un una uno
        """,
        "portuguese": """
            a ao aos as ate com como da das de do dos e ela ele eles em entre era essa esse esta este eu foi ha
            isso ja la mais mas me meu minha muito na nao nas no nos nosso o onde os ou para pela pelo por
            porque quando que quem sao se sem ser seu sua tem um uma voce
        """,
        "dutch": """
            aan al als bij dan dat de deze die dit een en er had heb hebben het hij hoe hun ik in is je kan maar
            me met mijn naar niet nog of om onder onze ook op over te tot uit uw van veel voor waar was wat we
            wel werd wie wij worden wordt ze zich zijn zo zou
        """,
        "turkish": """
            acaba ama ancak bana bazi ben beni bir biz bize bu bunu cok cunku da daha de defa degil diye en gibi
            gore hangi hem her hic icin ile ise kadar ki kim mi mu nasil ne neden nerede olan olarak oldu onu
            onun sen seni siz su tum uzere var ve veya ya yani yok
        """,
        "russian": """
            а без бы был была были было в вам вас во вот все вы где да для до его ее если есть еще же за и из
            или им их к как ко когда кто ли мне мы на нас не нет но о об он она они оно от по под при про с со
            так там то тот ты у уже что чтобы эта эти это этот я
        """,
        "greek": """
            αν απο αυτη αυτο για δεν ειναι εν ενα ενασ η και κατα με μια να ο οι οπου οταν που πωσ σε στη στην
            στο στον τα τη την τησ τι το τον του τουσ των ωσ
        """,
        "arabic": """
            ال الا التي الذي الي ان انا انت او اين ب بعد بين ثم حتي ذلك علي عن عند في قبل قد كان كل كما كيف ل لا
            لم لن ما متي مع من منذ نحن هذا هذه هل هم هو هي و يا
        """,
        "hindi": """
            आप इस ई उस एक एवं ओर और क कब कहां का कि की के को कौन क्या क्यों जो तक तो था थी थे न नहीं ने पर भी मे
            में मैं यह यहां या ये रहा रही रहे वह वे से हम ही हूं है हैं हो होता होती होते
        """,
    }.items()
}
