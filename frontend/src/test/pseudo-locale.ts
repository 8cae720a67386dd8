/** A language in which every text that was said through the catalogs stands in brackets. */
import german from "../locales/de.json";
import type { Catalog } from "../lib/i18n/languages";

const OPEN = "⟦";
const CLOSE = "⟧";

function bracket(text: string): string {
  return `${OPEN}${text}${CLOSE}`;
}

/** The German catalog names all texts: lint sees to that. */
export function bracketingCatalog(): Catalog {
  const entries = Object.entries(german.messages).map(([text, translation]) => [
    text,
    typeof translation === "string" ? bracket(text) : { one: bracket(text), other: bracket(text) },
  ]);
  const errors = Object.keys(german.errors).map((code) => [code, bracket(code)]);
  return { messages: Object.fromEntries(entries), errors: Object.fromEntries(errors) };
}

/** Every string in a reply, the longest first: what is data and nobody's to translate. */
export function stringsIn(value: unknown): string[] {
  const found: string[] = [];
  const visit = (part: unknown): void => {
    if (typeof part === "string") found.push(part);
    else if (typeof part === "object" && part !== null) Object.values(part).forEach(visit);
  };
  visit(value);
  return [...new Set(found)].filter(Boolean).toSorted((left, right) => right.length - left.length);
}

/** Texts with a form of their own in every language: times by Intl, and languages in their own words. */
const OF_ITS_OWN = "time, [lang]:not(html), script, style";
const ATTRIBUTES = ["aria-label", "title", "placeholder", "alt"];

function visibleTexts(): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const running: string[] = [];
  while (walker.nextNode()) {
    const { parentElement, nodeValue } = walker.currentNode;
    if (!parentElement?.closest(OF_ITS_OWN)) running.push(nodeValue ?? "");
  }
  const attributes = [...document.querySelectorAll("*")]
    .filter((element) => !element.closest("time"))
    .flatMap((element) => ATTRIBUTES.map((name) => element.getAttribute(name) ?? ""));
  return [running.join("\n"), ...attributes, document.title];
}

/** What stands outside of all brackets; they may hold each other, and elements in between. */
function outside(text: string): string {
  let depth = 0;
  let left = "";
  for (const sign of text) {
    if (sign === CLOSE) depth -= 1;
    else if (sign === OPEN) depth += 1;
    else if (depth === 0) left += sign;
  }
  return left;
}

/** Words in Latin letters that neither came through a catalog nor from the server. */
export function wordsThatEscaped(data: readonly string[]): string[] {
  const left = visibleTexts().map(outside);
  const without = left.map((text) => data.reduce((rest, known) => rest.replaceAll(known, "\n"), text));
  return [...new Set(without.flatMap((text) => text.match(/[A-Za-z]{2,}[^\n]*/g) ?? []))];
}
