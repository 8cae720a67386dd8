"""Countries and their people: names that an answer may use in each other's place."""

from collections.abc import Mapping
from functools import cache

# A line a country: names, adjectives and people; as `reading` spells words.
_NATIONS = """
afghanistan afghan
albania albanian
algeria algerian
argentina argentine argentinian
armenia armenian
australia australian aussie
austria austrian
azerbaijan azerbaijani
bangladesh bangladeshi
belarus belarusian
belgium belgian
bolivia bolivian
bosnia bosnian
brazil brazilian
bulgaria bulgarian
burma burmese myanmar
cambodia cambodian khmer
canada canadian
catalonia catalan
chile chilean
china chinese
colombia colombian
croatia croatian
cuba cuban
cyprus cypriot
czech czechia bohemia bohemian
denmark danish dane danes
ecuador ecuadorian
egypt egyptian
england english britain british uk
estonia estonian
ethiopia ethiopian
europe european
finland finnish finn
france french
georgia georgian
germany german
ghana ghanaian
greece greek
greenland greenlandic
guatemala guatemalan
haiti haitian
hawaii hawaiian
hungary hungarian
iceland icelandic
india indian
indonesia indonesian
iran iranian persia persian
iraq iraqi
ireland irish
israel israeli
italy italian
jamaica jamaican
japan japanese
jordan jordanian
kazakhstan kazakh
kenya kenyan
korea korean
kuwait kuwaiti
latvia latvian
lebanon lebanese
libya libyan
lithuania lithuanian
macedonia macedonian
malaysia malaysian malay
mexico mexican
mongolia mongolian mongol
morocco moroccan
nepal nepali nepalese
netherlands dutch holland
nigeria nigerian
normandy norman
norway norwegian norse
pakistan pakistani
palestine palestinian
panama panamanian
paraguay paraguayan
peru peruvian
philippines filipino philippine
poland polish pole
portugal portuguese
prussia prussian
rome roman
romania romanian
russia russian
scotland scottish scots scot
serbia serbian serb
sicily sicilian
singapore singaporean
slovakia slovak
slovenia slovenian slovene
somalia somali
spain spanish spaniard
sudan sudanese
sweden swedish swede
switzerland swiss
syria syrian
taiwan taiwanese
thailand thai siam
tibet tibetan
tunisia tunisian
turkey turkish turk
uganda ugandan
ukraine ukrainian
uruguay uruguayan
usa american america
venezuela venezuelan
vietnam vietnamese
wales welsh
yemen yemeni
africa african
asia asian
"""


@cache
def load_nations() -> Mapping[str, frozenset[str]]:
    """Return for each name those that may stand in its place."""
    lines = [frozenset(line.split()) for line in _NATIONS.split("\n") if line]
    return {word: line - {word} for line in lines for word in line}
