/**
 * What the pages say, in the reader's language. The English text is the key, and `scripts/messages.js` finds
 * every text by its type: it must be a literal, or a constant whose type is a union of literals.
 */
import { currentCatalog, currentLanguage } from "./catalog";
import { numberFormat } from "./formats";
import type { Plural } from "./languages";

/** The names in braces: "count" | "name" of "{count} of {name}". */
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

/** A text that is known when the pages are built. */
export type Known<Text extends string> = string extends Text ? never : Text;

export type ValuesOf<Text extends string, Value> = [Names<Text>] extends [never]
  ? []
  : [values: Readonly<Record<Names<Text>, Value>>];

type Values = Readonly<Record<string, string | number>>;

const NAME = /\{(\w+)\}/g;

export function fill(text: string, values: Values = {}): string {
  return text.replaceAll(NAME, (hole, name: string) => String(values[name] ?? hole));
}

/** The text as the language in force has it, with its holes. */
export function translated(text: string): string {
  const found = currentCatalog().messages[text];
  return typeof found === "string" && found !== "" ? found : text;
}

export function t<const Text extends string>(
  text: Text & Known<Text>,
  ...[values]: ValuesOf<Text, string | number>
): string {
  return fill(translated(text), values);
}

function formOf(forms: Plural, count: number): string | undefined {
  return forms[new Intl.PluralRules(currentLanguage()).select(count)] ?? forms.other;
}

/** A text that counts; `{count}` is put in as people write numbers. The plural is the key. */
export function plural<const Other extends string>(
  count: number,
  one: string,
  other: Other & Known<Other>,
  values: Values = {},
): string {
  const found = currentCatalog().messages[other];
  const text = typeof found === "object" ? formOf(found, count) : undefined;
  const written = numberFormat({}).format(count);
  return fill(text ?? (count === 1 ? one : other), { ...values, count: written });
}

/** What a server's error means in the language in force; null where the server's own words must do. */
export function errorWords(code: string, values: Values): string | null {
  const { errors } = currentCatalog();
  // A code is the server's, and may be spelled like what every object has.
  const words = Object.hasOwn(errors, code) ? errors[code] : undefined;
  return words ? fill(words, values) : null;
}
