"""What messages say, in English and German: plain text, with names and links put in."""

from typing import NamedTuple

from annotation.accounts.models import OutgoingMail

Kind = OutgoingMail.Kind


class Words(NamedTuple):
    """The subject and the text of a message, with places for facts."""

    subject: str
    text: str


ENGLISH: dict[str, Words] = {
    Kind.CONFIRM: Words(
        "Confirm your email address",
        """Hello,

Somebody entered this email address for an account on the Assay server
{server}.

To confirm the address, open this link within a day:

{link}

If this was not you, ignore this message. No other messages are sent to
an address until it is confirmed.
""",
    ),
    Kind.ADDRESS_CHANGED: Words(
        "Your email address was changed",
        """Hello,

The email address of your account “{username}” on the Assay server
{server} was changed or removed. This address gets no more email
about the account.

If this was not you, sign in and change your password, or ask the administrator
of the server for help.
""",
    ),
    Kind.PASSWORD_CHANGED: Words(
        "Your password was changed",
        """Hello,

The password of your account “{username}” on the Assay server
{server} was changed.

If this was not you, open {server}/password to get a link that
sets a new password, or ask the administrator of the server for help.
""",
    ),
    Kind.PASSWORD_LINK: Words(
        "Set a new password",
        """Hello,

Somebody asked for a new password for your account “{username}” on the
Assay server {server}.

To set one, open this link within an hour. It works once:

{link}

If this was not you, ignore this message. Your password stays as it is.
""",
    ),
    Kind.INVITATION: Words(
        "Invitation to the project “{project}”",
        """Hello,

You are invited to the project “{project}” on the Assay server
{server}.

{role}

To join, open this link. It works once, until {until}:

{link}

If you were not expecting an invitation, ignore this message.
""",
    ),
    Kind.DIGEST: Words(
        "What is waiting for you in Assay",
        """Hello,

This is waiting for you:

{list}

You get this message {often}, and only if something is waiting.
To change how often, open {server}/account
To stop these messages, open {unsubscribe}
""",
    ),
}
GERMAN: dict[str, Words] = {
    Kind.CONFIRM: Words(
        "Bestätigen Sie Ihre E-Mail-Adresse",
        """Guten Tag,

jemand hat diese E-Mail-Adresse für ein Konto auf dem Assay-Server
{server} eingetragen.

Um die Adresse zu bestätigen, öffnen Sie innerhalb eines Tages diesen Link:

{link}

Waren Sie das nicht, ignorieren Sie diese Nachricht. An eine Adresse, die niemand
bestätigt, wird sonst nichts gesendet.
""",
    ),
    Kind.ADDRESS_CHANGED: Words(
        "Ihre E-Mail-Adresse wurde geändert",
        """Guten Tag,

die E-Mail-Adresse Ihres Kontos „{username}“ auf dem Assay-Server
{server} wurde geändert oder entfernt. An diese Adresse wird zu dem Konto
nichts mehr gesendet.

Waren Sie das nicht, melden Sie sich an und ändern Sie Ihr Passwort, oder wenden
Sie sich an die Person, die den Server betreibt.
""",
    ),
    Kind.PASSWORD_CHANGED: Words(
        "Ihr Passwort wurde geändert",
        """Guten Tag,

das Passwort Ihres Kontos „{username}“ auf dem Assay-Server
{server} wurde geändert.

Waren Sie das nicht, öffnen Sie {server}/password und fordern Sie einen Link an,
um ein neues festzulegen, oder wenden Sie sich an die Person, die den Server betreibt.
""",
    ),
    Kind.PASSWORD_LINK: Words(
        "Neues Passwort festlegen",
        """Guten Tag,

jemand hat für Ihr Konto „{username}“ auf dem Assay-Server
{server} ein neues Passwort angefordert.

Um es festzulegen, öffnen Sie innerhalb einer Stunde diesen Link. Er funktioniert einmal:

{link}

Waren Sie das nicht, ignorieren Sie diese Nachricht. Ihr Passwort bleibt unverändert.
""",
    ),
    Kind.INVITATION: Words(
        "Einladung zum Projekt „{project}“",
        """Guten Tag,

Sie sind zum Projekt „{project}“ auf dem Assay-Server
{server} eingeladen.

{role}

Um teilzunehmen, öffnen Sie diesen Link. Er funktioniert einmal, bis zum {until}:

{link}

Erwarten Sie keine Einladung, ignorieren Sie diese Nachricht.
""",
    ),
    Kind.DIGEST: Words(
        "Was in Assay auf Sie wartet",
        """Guten Tag,

das wartet auf Sie:

{list}

Sie erhalten diese Nachricht {often}, und nur wenn etwas wartet.
Um zu ändern, wie oft, öffnen Sie {server}/account
Um sie nicht mehr zu erhalten, öffnen Sie {unsubscribe}
""",
    ),
}
WORDS = {"en": ENGLISH, "de": GERMAN}

ROLES = {
    "en": {
        "annotator": "Your role is annotator: you judge answers to questions, without seeing which "
        "system gave an answer or how others judge it.",
        "adjudicator": "Your role is adjudicator: you decide answers on which annotators disagree.",
        "lead": "Your role is lead: you run the project together with its other leads.",
        "viewer": "Your role is viewer: you can see results and data, but you cannot change anything.",
    },
    "de": {
        "annotator": "Ihre Rolle ist Annotation: Sie bewerten Antworten auf Fragen, ohne zu sehen, welches "
        "System eine Antwort gab oder wie andere sie bewerten.",
        "adjudicator": "Ihre Rolle ist Adjudikation: Sie entscheiden über Antworten, bei denen sich die "
        "Bewertenden nicht einig sind.",
        "lead": "Ihre Rolle ist Leitung: Sie leiten das Projekt gemeinsam mit den anderen in dieser Rolle.",
        "viewer": "Ihre Rolle ist Einsicht: Sie sehen Ergebnisse und Daten und ändern nichts.",
    },
}
# Of whom the message says how much work awaits them.
JUDGING_ROLE = "annotator"
SHARES = {
    "en": "Your share: about {answers}, about {time} in all.",
    "de": "Ihr Anteil: etwa {answers}, insgesamt etwa {time}.",
}
THOUSANDS = {"en": ",", "de": "."}
# Shorter times are said in minutes, as on pages.
FEWEST_HOURS_MINUTES = 90
# Of one, and of any other number.
ANSWERS = {"en": ("{count} answer", "{count} answers"), "de": ("{count} Antwort", "{count} Antworten")}
MINUTES = {"en": ("{count} minute", "{count} minutes"), "de": ("{count} Minute", "{count} Minuten")}
HOURS = {"en": ("{count} hour", "{count} hours"), "de": ("{count} Stunde", "{count} Stunden")}
JUDGING = {
    "en": ("{count} question to judge", "{count} questions to judge"),
    "de": ("{count} Frage zu bewerten", "{count} Fragen zu bewerten"),
}
DECIDING = {
    "en": ("{count} answer to decide", "{count} answers to decide"),
    "de": ("{count} Antwort zu entscheiden", "{count} Antworten zu entscheiden"),
}
OFTEN = {
    "en": {"daily": "at most once a day", "weekly": "at most once a week"},
    "de": {"daily": "höchstens einmal am Tag", "weekly": "höchstens einmal in der Woche"},
}
DATES = {"en": "{at:%Y-%m-%d %H:%M} UTC", "de": "{at:%d.%m.%Y, %H:%M} Uhr UTC"}
