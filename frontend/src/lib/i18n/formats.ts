/** Numbers as the language in force writes them. */
import { currentLanguage } from "./catalog";
import { LANGUAGES } from "./languages";

const kept = new Map<string, Intl.NumberFormat>();

export function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const tag = LANGUAGES[currentLanguage()].formats;
  const key = JSON.stringify([tag, options]);
  const format = kept.get(key) ?? new Intl.NumberFormat(tag, options);
  kept.set(key, format);
  return format;
}

/** With exactly so many digits after the point, and nothing between thousands. */
export function formatFixed(value: number, digits: number): string {
  const fixed = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false };
  return numberFormat(fixed).format(value);
}
