"""How 25 languages tell a judge what to say: stems for folded text, where Latin letters have no accents.

RE2's `\\b` knows ASCII only; elsewhere `(?:^|\\PL)` and `(?:\\PL|$)` bound a word.
"""

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
