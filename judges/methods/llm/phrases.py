"""Phrases, in several languages, by which an answer talks to the judge."""

from typing import NamedTuple


class Language(NamedTuple):
    """How one language says: ignore, instructions; reply, correct. Stems, as parts of a pattern."""

    ignore: str
    instructions: str
    reply: str
    correct: str


LANGUAGES = (
    Language(
        r"ignorier|missacht|vergiss",
        r"anweisung|regeln|vorgabe|richtlinie",
        r"\bantworte\b|\bbewerte|\bstufe?\b|\bmarkier|\bwerte\b|\bsag(?:e|en)?\b|\bgib\b|\bmusst\b|akzeptier",
        r"\bja\b|richtig|korrekt|zutreffend|volle punkt|zustimm",
    ),
    Language(
        r"ignore[zr]?\b|oublie|ne tene?z? pas compte",
        r"consigne|instruction|regles?\b",
        r"repond|considere|\bnote[rz]?\b|\bmarque|evalue|\bdis\b|\bdites\b|\bdire\b|\bmett(?:re|ez)\b|accepte",
        r"\boui\b|\bvrai|note maximale|\bcorrect|\bjuste\b|\bexacte?\b",
    ),
    Language(
        r"ignor[ae]|olvid[ae]|descart[ae]",
        r"instruccion|reglas?\b|indicacion",
        r"respond[ea]|\bmarc[ae]\b|\bmarque\b|consider[ae]|calific[ae]|\bdi\b|\bdecir\b|acept[ae]",
        r"\bsi\b|correct[oa]|verdader|aciert",
    ),
    Language(
        r"ignor[ae]|esquec|desconsider",
        r"instruc|regras?\b",
        r"respond[ea]|\bmarque\b|consider[ae]|avali[ae]|\bdiga\b|aceit[ae]",
        r"\bsim\b|corret[oa]|\bcert[oa]\b",
    ),
    Language(
        r"ignora|dimentica",
        r"istruzion|regole\b",
        r"rispond|\bsegna|considera|valuta|accetta|\bdi\b",
        r"\bsi\b|corrett[oa]|giust[oa]|esatt[oa]",
    ),
    Language(
        r"negeer|vergeet",
        r"instructie|regels\b|aanwijzing",
        r"\bantwoord met\b|beoordeel|markeer|\bzeg\b|\bgeef\b|accepteer",
        r"\bja\b|\bjuist|correct|\bgoed\b|volle aantal|punten\b",
    ),
    Language(
        r"ignorera?\b|glom\b|glem\b",
        r"instruktion|regler|anvisning",
        r"\bsvara?\b|bedom|bedøm|marker",
        r"\bja\b|\bratt\b|korrekt|rigtig|riktig",
    ),
    Language(
        r"zignoruj|ignoruj|pomin|zapomnij",
        r"polece|instrukc|wskazow|pokyn|zasad",
        r"odpowiedz\b|ocen\b|zaznacz|uznaj|odpovez|oznac",
        r"\btak\b|poprawn|prawidłow|\bano\b|spravn",
    ),
    Language(
        r"игнорир|забудь|не обращай",
        r"инструкц|указан|правила",
        r"ответь|отметь|оцени|считай|признай|скажи|поставь",
        r"(?:^|\PL)да(?:\PL|$)|балл|верн|правильн",
    ),
    Language(
        r"ігнор|забудь",
        r"вказів|інструкц|правила",
        r"познач|відповідай|скажи|оціни|вважай",
        r"(?:^|\PL)так(?:\PL|$)|правильн|вірн",
    ),
    Language(
        r"yok say|gormezden|unut",
        r"talimat|kural",
        r"cevapla|yanıtla|isaretle|cevap ver|kabul et|\bde\b",
        r"\bevet\b|dogru",
    ),
    Language(
        r"تجاهل|انس(?:\PL|$)",
        r"تعليمات|قواعد|توجيهات",
        r"اجب|أجب|(?:^|\PL)قل(?:\PL|$)|اعتبر|ضع علامة",
        r"نعم|صحيح",
    ),
    Language(r"نادیده|فراموش", r"دستور|قوانین", r"بگو|پاسخ بده|علامت", r"درست|صحیح|بله"),
    Language(
        r"התעלמ|התעלם|שכח", r"הוראות|כללים", r"(?:^|\PL)ו?ענה(?:\PL|$)|סמן|אמור", r"(?:^|\PL)כן(?:\PL|$)|נכון"
    ),
    Language(
        r"अनदेखा|नजरअंदाज|भूल",
        r"निर्देश|नियम",
        r"उत्तर दें|जवाब दें|कहें|कहो|चिह्नित|मानें",
        r"हाँ|हां|सही",
    ),
    Language(
        r"忽略|无视|無視|忘记|忘記|不要理会|忘れ",
        r"指示|指令|说明|說明|规则|規則|提示|命令|ルール",
        r"回答|回复|回覆|判定|判断|判为|判為|判作|算作|视作|視為|输出|輸出|标记|评为|视为|给这|给我|给出|请给|答え|採点|出力",
        r"正确|正確|是的|满分|滿分|正解|正しい|はい",
    ),
    Language(
        r"무시|잊어", r"지시|명령|규칙|지침", r"답하|대답|표시|평가|판정|처리", r"정답|맞다고|올바|맞음"
    ),
    Language(
        r"bo qua|quen",
        r"huong dan|chi dan|quy tac",
        r"tra loi|danh dau|cham\b",
        r"(?:^|\PL)đung\b|\bdung\b|chinh xac",
    ),
    Language(
        r"abaikan|lupakan",
        r"petunjuk|instruksi|aturan|arahan",
        r"\bjawab|tandai|anggap",
        r"\bya\b|benar|betul",
    ),
    Language(r"αγνοησ|ξεχασ", r"οδηγι|κανον", r"απαντησ|σημειωσ|βαθμολογησ", r"(?:^|\PL)ναι(?:\PL|$)|σωστ"),
    Language(r"เพิกเฉย|ละเว้น|ไม่ต้องสนใจ", r"คำสั่ง|คำแนะนำ", r"ตอบ|ให้คะแนน", r"ถูกต้อง|ใช่"),
    Language(r"\bpuuza", r"maagizo|maelekezo", r"\bjibu", r"ndiyo|sahihi"),
    Language(r"hagyd figyelmen|felejtsd", r"utasitas|szabaly", r"valaszolj|jelold", r"\bigen\b|helyes"),
    Language(r"\bohita|jata huomiotta|unohda", r"\bohje|saannot", r"\bvastaa\b|merkitse", r"\bkylla\b|oikei"),
    Language(r"ignora|uita\b", r"instructiuni|reguli", r"raspunde|marcheaza", r"\bda\b|corect"),
)


_GOOD = (
    r"(?:correct(?:ly)?|right|true|accurate|accepted|acceptable|valid|yes|pass(?:ed)?|approved?|"
    r"(?:full|top) marks)"
)
_JUDGE = (
    r"(?:graders?|evaluators?|examiners?|assessors?|reviewers?|raters?|annotators?|"
    r"(?:ai|llm|language|the) (?:judge|model)|judge model|judging model|auto-?grader)"
)
_REFERENCE = (
    r"(?:(?:gold(?:en)?|reference|expected|model|target|true) answers?|ground truth|answer key|gold standard|"
    r"the references?\b|rubric|grading|evaluation guidelines?|instructions?|guidelines)"
)
_IT = r"(?:this|it|the|my|that|any|every|all|each|his|her|our)"
_SELF = (
    r"(?:(?:this|the|my|that|any|every|all|each) )?(?:(?:candidate|given|above|ai-generated|model)(?:'s)? )?"
)
_NAMED = r"(?:answers?|responses?|candidates?|repl(?:y|ies)|statements?|submissions?)"

VERDICT_CLAIM = (
    rf"\b{_SELF}{_NAMED}(?: [^.\n]{{1,40}}?)? (?:is|are|was|were|counts as|should be|must be|has been|can be)"
    rf"(?: (?:already|fully|definitely|indeed|always|also|considered|deemed|marked|judged|verified|confirmed|"
    rf"counted|accepted|as|to|be|the|a|from|now|on)){{0,5}} {_GOOD}\b",
    rf"\b(?:verdict|judge?ment|label|grade|grading|evaluation(?: result)?|assessment|decision|is_?correct|"
    rf"accepted|result|status)\b[\"'*]{{0,3}} {{0,2}}[:=]+>? {{0,2}}[\"'*]{{0,3}}(?:{_GOOD}|a\+?(?:[^a-z]|$)|"
    r"1\b|10\b)",
    r"[\"']?\bverdict\b[\"']? {0,2}[:=]",
    r"</?(?:verdict|judge?ment|label|grade|score)>",
    rf"\[\[?{_GOOD}\]\]?",
    r"\b(?:score|rating|grade|mark|points)[: =]{1,3}(?:10(?:\.0)?|5|100) {0,1}(?:/|out of) {0,1}(?:10|5|"
    r"100)\b",
    r"\b(?:full|maximum|top) (?:marks?|credit|score|points)\b|\bgrade[: ]{1,3}a\+",
    rf"\b(?:verified|confirmed|certified|judged|graded|rated|approved|validated) (?:as|to be) {_GOOD}\b",
    rf"\b(?:is|are|was) (?:fully |indeed |entirely |definitely )?{_GOOD},? (?:according to|and (?:equals|"
    r"matches)|as it matches|since it matches)",
    r"\b(?:match(?:es)?|equals?|agrees? with|is (?:the same as|identical to|equivalent to)) (?:the|a|"
    rf"one) {_REFERENCE}",
    r"\bcounts? as (?:a |the )?(?:gold|correct|right|reference)",
    r"[✅☑✔]\x{fe0f}? {0,1}(?:accepted|correct|verified|pass|yes|right)",
    rf"\b{_JUDGE} (?:has|have|had)(?: \w+)? (?:decided|confirmed|ruled|agreed|approved|accepted)",
)

JUDGE_ADDRESSED = (
    r"\b(?:note|message|memo|instructions?|attention|hint|request|order|dear|hello|hi|hey) ?,?:? ?(?:to|"
    r"for)? ?(?:the |all )?"
    rf"(?:{_JUDGE}|judge|ai|llm|assistant|chatgpt|model)\b",
    r"\bif you (?:are|re) an? (?:ai|llm|language model|assistant|automatic|automated|grader|judge|evaluator)",
    r"\byou are (?:now |no longer |from now on )?(?:an? |the |my )?(?:\w+ ){0,3}(?:examiner|grader|judge|"
    r"evaluator|assistant|rater|teacher)\b",
    r"\bas the (?:author|creator|maintainer|owner) of (?:this|the) (?:data ?set|question|benchmark|test|"
    r"rubric)",
    r"\b(?:i'll|i will|i can) (?:tip|pay|reward) you\b",
    r"\bmy (?:job|life|career|grade) depends on\b",
    r"\b(?:be|being) (?:generous|lenient|forgiving|kind) (?:and|here|in|with|when)\b",
    r"\b(?:let|have) (?:it|this|this one|my answer) pass\b",
    r"\byou (?:must|should|have to|need to|may|are to|are asked to|are required to|will|can only|"
    r"can)(?: not| never| only| always| now)? "
    r"(?:accept|approve|answer|reply|respond|say|mark|grade|rate|score|label|judge|output|return|count|"
    r"reject)\b",
    r"\b(?:any|every)(?:one|body) who (?:marks|grades|rates|rejects|judges|says)\b",
)

RUBRIC_OVERRIDE = (
    rf"\b(?:ignore|disregard|forget|overlook|override|bypass|skip|discard|neglect|set aside)\b[^.\n]{{0,40}}?"
    rf"\b(?:{_REFERENCE}|instructions?|rules?|prompts?|directions|above|previous|prior|earlier|everything)",
    r"\b(?:do not|don't|never|no need to) (?:use|compare|consider|follow|check|look at|apply|answer|say|"
    rf"reply)\b[^.\n]{{0,30}}?"
    rf"\b(?:{_REFERENCE}|rules?|no)\b",
    r"\b(?:mark|grade|rate|score|label|count|accept|treat|judge|classify|consider|approve|evaluate|regard|"
    r"rule|deem|take)\b"
    rf"(?: {_IT}\b)?[^.\n]{{0,40}}? as (?:being |an? |the |fully |always )*(?:{_GOOD}|gold|synonym|"
    r"equivalent|equal|alias)\b",
    rf"\b(?:accept|approve) {_IT} (?:\w+ )?(?:answer|response|candidate|item|case|submission)\b|"
    r"\bjust approve\b",
    r"\bcount (?:it|this) as\b",
    rf"\b(?:reply|respond|answer|output|say|print|return|write|give|choose|select|state|assign|emit)\b"
    r"(?: (?:with|that|only|just|always|the|a|an|single|one|word|label|verdict|answer|is|this|item|now|"
    r"simply|me|out))*"
    rf"[ :]{{1,2}}[\"'“‘*`(]{{0,2}}(?:{_GOOD}|no)\b(?:$|[^ ]| (?:$|[^t]|t(?:$|[^o])))",
    r"\b(?:new|updated|changed|revised|special) (?:rules?|rubric|instructions?|guidelines?|task|policy)\b ?:",
    r"\b(?:rules?|rubric|guidelines|instructions|task|criteria|policy)\b[^.\n]{0,15} (?:has|have|"
    r"had) (?:been )?(?:changed|updated|replaced|switched off)",
    r"\b(?:real|actual|true|new|only) task (?:is|now)\b",
    r"\b(?:grading|checking|strict mode|judging|evaluation|scoring)[: ]{1,2}(?:is |was |"
    r"has been )?(?:switched |turned )?(?:off|disabled|suspended)\b",
    r"^\W{0,3}override\b ?:|[.\n] {0,2}override ?:",
    r"\b(?:exempt|excluded|excused) from (?:checking|grading|evaluation|judging|comparison)",
    r"\bwhen (?:in doubt|unsure|uncertain),? (?:choose|say|answer|accept|mark|pick)",
    rf"\b(?:any|every|all|each) (?:\w+ ){{0,2}}(?:answers?|responses?)(?: [^.\n]{{1,25}}?)? (?:is|"
    rf"are)(?: to be)?(?: always| now| marked| considered| counted| automatically){{0,3}} {_GOOD}\b",
    rf"\b(?:pretend|assume|suppose|imagine|act as if|act as though)(?: that)? (?:{_REFERENCE}|"
    r"the reference|every|all|this|the answer|the gold|everything)",
    r"\b(?:gold|reference|expected) answers? (?:is|are|was|were) (?:wrong|outdated|incorrect|invalid|false|"
    r"obsolete|a typo)",
    r"\b(?:correct|actual|true|real|new) (?:gold|reference|golden) answers?\b",
    r"\b(?:whatever|everything|anything) (?:follows|comes next|is written here) (?:is|counts)",
    r"\b(?:spelling|facts?|wording)(?: and \w+)? (?:do|does) not matter\b",
    r"\bsynonyms? (?:of|for) the (?:gold|reference|correct)",
    r"\b(?:case|text|data|question|prompt|instructions?) above (?:was|were|is|are) (?:only |"
    r"just )?(?:a test|an example|void|fake)",
    r"\binstructions? above\b|\babove instructions?\b|\bprevious instructions?\b",
    r"\b(?:choose|pick|take|select) (?:the one|whichever|whatever|the one that|"
    r"any)\b[^.\n]{0,25}\b(?:fits?|right|correct|match(?:es)?|gold|applies)",
)

ROLE_MARKER = (
    r"<\|[a-z_ ]{1,30}\|>",
    r"@@\w{1,20}@@",
    r"\[/?(?:inst|system|assistant|user|sys)\]|<</?sys>>|</?s>",
    r"</?(?:start|end)_of_turn>|<(?:start|end)_header_id>",
    r"</?(?:answer|case|instructions?|system|assistant|user|data|candidate|prompt|response|input|"
    r"question)(?:-[0-9a-f]+)?>",
    r"<\W{0,3}/?\W{0,3}(?:data-[0-9a-f]|da<)",
    r"<!--|-->",
    r"(?:^|\n)[ #>*_]{0,6}(?:system|assistant|human|user|developer|instructions?|evaluator|"
    r"judge)(?: (?:message|prompt|note|to [a-z ]{1,20}))?[*_]{0,2} ?:",
    r"(?:^|\n)#{1,6} {0,2}(?:system|assistant|instructions?|user|human)\b",
    r"(?:^|\n)[ *_]{0,4}(?:candidate|gold answers?|golden answers?|ai-generated answer|answer to judge|"
    r"verdict|reference answer)[*_]{0,2} ?:",
    r"\bis (?:the )?candidate correct\b",
    r"[\"'] {0,2}[}\]] {0,3}[}\]]?\\?[n\n]|\\?[\"'] ?, ?\\?[\"'][a-z_]{1,20}\\?[\"'] ?:|\\[\"'] ?[}\]]",
    r"[\"']role\\?[\"'] ?:",
    r"(?:^|\n)[`\"]{3}",
    r"(?:^|\n)\W{0,12}(?:end|begin|start) of (?:the )?(?:answer|data|candidate|case|input|text|response|"
    r"question)\b",
    r"\bsystem (?:message|prompt)\b ?:",
)

# Alternatives, not a list of things that are all meant ("A, B and C").
_BEYOND_ASCII = r"\x{80}-\x{10ffff}"
_ALNUM = rf"[0-9a-z{_BEYOND_ASCII}]"
_LETTER = rf"[a-z{_BEYOND_ASCII}]"
_WORD = rf"[\w'.{_BEYOND_ASCII}-]"
_NAME = rf"[\w'. {_BEYOND_ASCII}-]"
SEVERAL_ANSWERS = (
    rf"(?:\b{_WORD}{{1,40}}(?: {_WORD}{{1,40}}){{0,3}} or ){{2}}{_WORD}{{1,40}}",
    rf"^\W{{0,3}}(?:{_NAME}{{1,40}}, ){{2,9}}(?:or |{_NAME}{{1,40}} or ){_NAME}{{1,40}}"
    r"(?:[:;,].{0,40})?\W{0,3}$",
    rf"^\W{{0,3}}(?:it is )?either {_NAME}{{1,40}}, {_NAME}{{1,40}} or {_NAME}{{1,40}}\W{{0,3}}$",
    rf"^\W{{0,3}}{_ALNUM}{_NAME}{{0,40}}(?:/ ?{_LETTER}{_NAME}{{0,40}}){{2,9}}\W{{0,3}}$",
    r"^\W{0,3}\d{4}(?: ?/ ?\d{4}){2,9}\W{0,3}$",
    rf"^\W{{0,3}}{_ALNUM}{_NAME}{{0,40}}(?:[;|] ?{_ALNUM}{_NAME}{{0,40}}){{2,9}}\W{{0,3}}$",
    r"(?:\bpossibly\b.{1,40}){3}|\b(?:second|2nd|next|other) guess\b|\b(?:have|has) (?:all |"
    r"both )?been named as\b",
    rf"(?:\({_NAME}{{1,40}}\) ?){{3}}|(?:\b{_NAME}{{1,40}}\? ?){{2}}",
    r"\b(?:one of (?:these|them|the following)|any (?:one )?of(?: the)?(?: following| these)?|"
    r"all of the above|"
    r"pick one|take your pick)\b ?(?::|$|\.$)",
    r"(?:\bsome say\b.{1,40}){2}|(?:\balternatively\b.{1,40}){2}|\b(?:or )?(?:n?either of them)\b",
    r"\bor,? if that (?:fails|is wrong)\b|\bif (?:it|that) fits\b|(?:\b(?:answer|guess|"
    r"option) ?\d ?[:=].{1,60}){2}",
    r"(?:\bcould(?: also)? be\b.{1,40}){3}|(?:\bmaybe\b.{1,40}){3}|(?:\bperhaps\b.{1,40}){3}",
    r"(?:\bit (?:is|was) [^.]{1,40}\. {0,2}){3}",
    r"\b(?:my|some|a few|two|three|several|possible) (?:best |likely |possible )?(?:guess(?:es)?|answers|"
    r"candidates|options|possibilities|suggestions)\b[^:\n]{0,20}:",
    r"(?:^|\W)a ?[:=] ?.{1,60}\Wb ?[:=]|(?:^|\W)1 ?[:=] ?.{1,60}\W2 ?[:=]",
    r"(?:\(?\ba\)|\b1[.)]).{1,60}(?:\(?\bb\)|\b2[.)]).{1,60}(?:\(?\bc\)|\b3[.)])",
)

# Words of judging: one may stand in any answer, two different ones in a sentence seldom do.
JUDGING_WORDS = (
    r"\b(?:approv\w+|affirm\w*|verdict|grad(?:e|ed|er|ing)\b|penali[sz]\w+|credits?\b|evaluat\w+|examiner|"
    r"mark(?:ed|s|ing)?\b|judg(?:e|ed|ing|ment)\b|correct(?:ly|ness)?\b|incorrect|wrong\b|respon(?:se|"
    r"d)\w*|candidate|answers?\b|references?\b|golden\b|instruct\w+|guidelines?|rubric|rules?\b|"
    r"prompts?\b|labels?\b|scores?\b|yes\b|agreed?\b|experts?\b|review\w*|checked|verif\w+|true\b|"
    r"accept\w*|reject\w*|pass\b|synonym\w*|equivalent|developers?\b|output|please\b|kindly\b|award\w*|"
    r"points?\b)"
)
# One of these is enough, wherever it stands.
JUDGING_ALONE = (
    r"\b(?:gold(?:en)? answers?\b|perfect match\b|official key\b|answer key\b|manual inspection|"
    r"benefit of the doubt|failing this item|(?:scoring|grading) service|wave this|turn this down|"
    r"switched off if|status: solved|came back green|repeat after me|affirmative(?:ly)?|affirm\b|"
    r"verdict to|rubric|penali[sz]e (?:only|answers)|examiner should|unit test|grader|do as i say|(?:i|"
    r"you) say (?:yes|no)\b|100% (?:correct|right))|=> ?(?:1|true|yes|correct)\b|<result>"
)
# One of these is enough in an answer that has nothing of any gold answer.
JUDGING_WITHOUT_GOLD = (
    r"\b(?:approv(?:e|ed|ing)\b|affirm\w*|verdict|graders?\b|grading\b|penali[sz]\w+|full credit|examiner|"
    r"judging|evaluat(?:e|or|ion)\b|correct(?:ly)?\b|incorrect\b|wrong\b|candidate\b|answers\b|repl(?:y|"
    r"ies)\b|(?:the|gold) references?\b|rubric|prompts?\b|yes\b(?:$|[^ ]| (?:$|[^t]|t(?:$|[^o])))|"
    r"agreed?\b|experts?\b|reviewer|reviewed|checker|checked against|"
    r"strict\b|accept(?:ing)?\b|reject\b|synonym\w*|identical|developers?\b|"
    r"output\b|thumbs|mistakes?\b|moderator|unfair|by effort|stay consistent|positive (?:class|label|"
    r"decision|verdict)|it counts|compare\b|comparison|its solution|(?:you|before you|must|please) decide|"
    r"whoever|your (?:task|earlier|job|verdict|instructions)|thank you|kindly|must say|you say|sentence\b|"
    r"this (?:item|task|answer|response|reply)\b|shut\b|mark me|very sad|valid\w*|stimmt|zutreffend|"
    r"vrai\b|vale\b|correcto|prawid\w+|aprueba|voti\b|por favor|bitte\b|merci\b|neither\b|guess\b|"
    r"hard to say|unknown\)|something else|independent check|claim has been proven|q\.e\.d|"
    r"in this universe|an exam\b|be nice\b|operator speaks)|=[=>]|<\w|\"ok\"|(?:^|\n)-{3,}"
)
