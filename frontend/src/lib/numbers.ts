/** Numbers, shares and amounts of money as words; and how few are too few for shares. */
import { formatFixed, numberFormat } from "./i18n/formats";
import { t } from "./i18n/t";

const MISSING = "–";

type Maybe = number | null | undefined;

function isMissing(value: Maybe): value is null | undefined {
  return value === null || value === undefined || !Number.isFinite(value);
}

export function formatCount(value: Maybe): string {
  return isMissing(value) ? MISSING : numberFormat({ maximumFractionDigits: 0 }).format(value);
}

/** A number with so many digits behind the point. */
export function formatFixedNumber(value: Maybe, digits: number): string {
  return isMissing(value) ? MISSING : formatFixed(value, digits);
}

/** A share from 0 to 1 as points of a hundred, "72.8"; the unit stands in the column's header. */
export function formatPoints(share: Maybe, digits = 1): string {
  return isMissing(share) ? MISSING : formatFixed(share * 100, digits);
}

export function formatPercent(share: Maybe, digits = 1): string {
  return isMissing(share) ? MISSING : t("{points}%", { points: formatPoints(share, digits) });
}

/** A coefficient such as κ or τ, with a true minus sign. */
export function formatCoefficient(value: Maybe, digits = 2): string {
  return isMissing(value) ? MISSING : formatFixed(value, digits).replace("-", "\u2212");
}

/** A statistic and its value, which no line break parts: "κ = 0.53", "n = 34". */
export function statistic(name: string, value: string): string {
  return `${name}\u00a0=\u00a0${value}`;
}

/** A difference of two shares in points, with its sign: "+3.0", "−1.2", "0.0". */
export function formatDifference(share: Maybe, digits = 1): string {
  if (isMissing(share)) return MISSING;
  if (Number((share * 100).toFixed(digits)) === 0) return formatFixed(0, digits);
  const points = formatFixed(share * 100, digits);
  return points.startsWith("-") ? points.replace("-", "\u2212") : `+${points}`;
}

const BYTE_UNITS = ["bytes", "kB", "MB", "GB"];

export function formatBytes(bytes: Maybe): string {
  if (isMissing(bytes)) return MISSING;
  const step = bytes < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : formatFixed(value, 1)}\u00a0${BYTE_UNITS[step] ?? ""}`;
}

/** "1 answer", "2 answers", "1,490 answers". */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

/** "$12.50", "$0.60"; small amounts keep two digits that say something: "$0.0031". */
export function formatMoney(usd: string | number | null | undefined): string {
  if (usd === null || usd === undefined || usd === "") return "–";
  const amount = Number(usd);
  if (!Number.isFinite(amount)) return "–";
  const leading = amount === 0 ? 0 : Math.floor(Math.log10(Math.abs(amount)));
  const digits = Math.max(2, Math.abs(amount) < 1 ? 1 - leading : 0);
  return numberFormat({
    style: "currency",
    currency: "USD",
    minimumFractionDigits: 2,
    maximumFractionDigits: Math.min(digits, 12),
  }).format(amount);
}

export const FEW = 10;
