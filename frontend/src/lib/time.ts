/** Times and durations in words. */
import { currentLanguage } from "./i18n/catalog";
import { LANGUAGES } from "./i18n/languages";
import { plural, t } from "./i18n/t";

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

export function relativeTime(at: Date, now: Date): string {
  const words = new Intl.RelativeTimeFormat(currentLanguage(), { numeric: "auto", style: "long" });
  const seconds = (at.getTime() - now.getTime()) / 1000;
  for (const [unit, length] of STEPS) {
    if (Math.abs(seconds) >= length) return words.format(Math.trunc(seconds / length), unit);
  }
  return seconds > 5 ? t("in a moment") : t("just now");
}

export function exactTime(at: Date): string {
  const tag = LANGUAGES[currentLanguage()].formats;
  return new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeStyle: "short" }).format(at);
}

/** A calendar day, as 2026-11-24, in words; it is the same day everywhere. */
export function dayWords(day: string): string {
  const tag = LANGUAGES[currentLanguage()].formats;
  return new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(day));
}

/** How long something takes, to the precision people plan with. */
export function formatDuration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return "–";
  if (seconds < 60) return t("{count} s", { count: Math.max(1, Math.round(seconds)) });
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return t("{count} min", { count: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 10 && minutes % 60 !== 0) return t("{hours} h {minutes} min", { hours, minutes: minutes % 60 });
  if (hours < 48) return t("{count} h", { count: Math.round(minutes / 60) });
  return plural(Math.round(minutes / 1440), "{count} day", "{count} days");
}
