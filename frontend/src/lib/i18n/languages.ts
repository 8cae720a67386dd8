/** The languages the pages can be shown in; English is the source of all others. */

/** A form a plural, as Intl.PluralRules names it. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

export interface Catalog {
  /** English text to its translation; a text that counts to its plural forms. */
  readonly messages: Readonly<Record<string, string | Plural>>;
  /** The stable code of a server's error to what it means; without it, people read the server's English. */
  readonly errors: Readonly<Record<string, string>>;
}

interface LanguageSpec {
  /** What those who read it call it. */
  readonly name: string;
  /** How numbers and dates are written. */
  readonly formats: string;
  /** Loaded when it is first wanted; English needs none. */
  readonly load: () => Promise<Catalog>;
}

const SOURCE: Catalog = { messages: {}, errors: {} };

export const LANGUAGES = {
  en: { name: "English", formats: "en-US", load: () => Promise.resolve(SOURCE) },
  de: {
    name: "Deutsch",
    formats: "de-DE",
    load: () => import("../../locales/de.json").then((module): Catalog => module.default),
  },
} as const satisfies Readonly<Record<string, LanguageSpec>>;

export type Language = keyof typeof LANGUAGES;

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(LANGUAGES, text);
}

/** The first of the wished ones that there is, by its first part: "de-AT" is served by "de". */
export function bestLanguage(wished: readonly string[]): Language {
  const found = wished.map((tag) => tag.toLowerCase().split("-")[0] ?? "").find(isLanguage);
  return found ?? "en";
}
