import { render } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { currentLanguage, languageFor, setCatalog, speak } from "./catalog";
import { bestLanguage, LANGUAGES } from "./languages";
import { rich } from "./rich";
import { errorWords, plural, t } from "./t";

const CATALOG = {
  messages: {
    "Sign in": "Anmelden",
    "{done} of {total}": "{done} von {total}",
    "{count} answers": { one: "{count} Antwort", other: "{count} Antworten" },
    "You are signed in as {name}.": "Als {name} sind Sie angemeldet.",
  },
  errors: { last_lead: "{project} braucht eine Leitung." },
};

describe("t", () => {
  it("is the English text itself where nothing else is in force", () => {
    expect(t("{done} of {total}", { done: 1, total: 2 })).toBe("1 of 2");
    expect(plural(1, "{count} answer", "{count} answers")).toBe("1 answer");
    expect(plural(1_490, "{count} answer", "{count} answers")).toBe("1,490 answers");
  });

  it("speaks the language in force, with its plurals and its numbers", () => {
    setCatalog("de", CATALOG);
    expect(t("Sign in")).toBe("Anmelden");
    expect(t("{done} of {total}", { done: 1, total: 2 })).toBe("1 von 2");
    expect(plural(1, "{count} answer", "{count} answers")).toBe("1 Antwort");
    expect(plural(1_490, "{count} answer", "{count} answers")).toBe("1.490 Antworten");
  });

  it("falls back to English where the catalog has a hole", () => {
    setCatalog("de", CATALOG);
    expect(t("Sign out")).toBe("Sign out");
    expect(plural(2, "{count} question", "{count} questions")).toBe("2 questions");
  });

  it("puts values in as they are, even where they look like names in braces", () => {
    expect(t("Leave {project}?", { project: "$& {project}" })).toBe("Leave $& {project}?");
  });

  it("puts elements where the language wants them", () => {
    setCatalog("de", CATALOG);
    const { container } = render(<p>{rich("You are signed in as {name}.", { name: <b>Anna</b> })}</p>);
    expect(container.innerHTML).toBe("<p>Als <b>Anna</b> sind Sie angemeldet.</p>");
  });
});

describe("an error's words", () => {
  it("are those of its code, where the language has some", () => {
    expect(errorWords("last_lead", { project: "NQ" })).toBeNull();
    setCatalog("de", CATALOG);
    expect(errorWords("last_lead", { project: "NQ" })).toBe("NQ braucht eine Leitung.");
    expect(errorWords("toString", {})).toBeNull();
  });
});

describe("the language", () => {
  it("is the account's, or the first that the browser wishes and there is", () => {
    expect(languageFor("de")).toBe("de");
    expect(languageFor("")).toBe("en");
    expect(bestLanguage(["tlh", "de-AT", "en"])).toBe("de");
    expect(bestLanguage(["tlh", "constructor"])).toBe("en");
  });

  it("is written on the page once its words are there", async () => {
    await speak("de");
    expect(document.documentElement.lang).toBe("de");
    expect(t("Sign in")).toBe("Anmelden");
  });

  it("is the last one chosen, whichever arrives last", async () => {
    const german = speak("de");
    await speak("en");
    await german;
    expect(currentLanguage()).toBe("en");
  });

  it.each(Object.keys(LANGUAGES))("%s has conventions that the browser knows", (language) => {
    const { formats } = LANGUAGES[language as keyof typeof LANGUAGES];
    expect(Intl.NumberFormat.supportedLocalesOf(formats)).toEqual([formats]);
  });
});
