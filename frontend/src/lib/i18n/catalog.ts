/** The language in force and its words; everything that is shown reads them at the moment it is shown. */
import { bestLanguage, type Catalog, isLanguage, type Language, LANGUAGES } from "./languages";

interface Speaking {
  readonly language: Language;
  readonly catalog: Catalog;
}

let speaking: Speaking = { language: "en", catalog: { messages: {}, errors: {} } };
let wanted: Language = "en";
const listeners = new Set<() => void>();

export function currentLanguage(): Language {
  return speaking.language;
}

export function currentCatalog(): Catalog {
  return speaking.catalog;
}

export function subscribeToLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Puts words in force at once. */
export function setCatalog(language: Language, catalog: Catalog): void {
  wanted = language;
  speaking = { language, catalog };
  document.documentElement.lang = language;
  for (const listener of listeners) listener();
}

/** Loads a language and puts it in force; while its words cannot be had, the former stays. */
export async function speak(language: Language): Promise<void> {
  wanted = language;
  if (language === speaking.language) return;
  try {
    const catalog = await LANGUAGES[language].load();
    // Another may have been chosen while this one was on its way.
    if (wanted === language) setCatalog(language, catalog);
  } catch {
    // The connection is gone; pages in the former language are better than none.
  }
}

/** The account's language, or the browser's where the account has none or nobody is signed in. */
export function languageFor(chosen: string | undefined): Language {
  return chosen !== undefined && isLanguage(chosen) ? chosen : bestLanguage(navigator.languages);
}
