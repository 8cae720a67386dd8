/** Numbers as people read them; missing ones are a dash, never NaN. */

const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const MISSING = "–";

type Maybe = number | null | undefined;

function isMissing(value: Maybe): value is null | undefined {
  return value === null || value === undefined || !Number.isFinite(value);
}

export function formatCount(value: Maybe): string {
  return isMissing(value) ? MISSING : WHOLE.format(value);
}

/** A share from 0 to 1 as points of a hundred, "72.8"; the unit stands in the column's header. */
export function formatPoints(share: Maybe, digits = 1): string {
  return isMissing(share) ? MISSING : (share * 100).toFixed(digits);
}

export function formatPercent(share: Maybe, digits = 1): string {
  return isMissing(share) ? MISSING : `${formatPoints(share, digits)}\u00a0%`;
}

/** A coefficient such as κ or τ, with a true minus sign. */
export function formatCoefficient(value: Maybe, digits = 2): string {
  return isMissing(value) ? MISSING : value.toFixed(digits).replace("-", "\u2212");
}

/** A difference of two shares in points, with its sign: "+3.0", "−1.2", "0.0". */
export function formatDifference(share: Maybe, digits = 1): string {
  if (isMissing(share)) return MISSING;
  const points = (share * 100).toFixed(digits);
  if (Number(points) === 0) return (0).toFixed(digits);
  return points.startsWith("-") ? points.replace("-", "\u2212") : `+${points}`;
}

const BYTE_UNITS = ["bytes", "kB", "MB", "GB"];

export function formatBytes(bytes: Maybe): string {
  if (isMissing(bytes)) return MISSING;
  const step = bytes < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)}\u00a0${BYTE_UNITS[step] ?? ""}`;
}

/** "1 answer", "2 answers", "1,490 answers". */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}
