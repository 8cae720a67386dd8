/** Amounts in US dollars, which the server sends as decimal text. */

const WHOLE_CENTS = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const SMALL = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  maximumSignificantDigits: 2,
});

/** Amounts below a dollar keep two digits that say something. */
export function formatMoney(usd: string | number | null | undefined): string {
  if (usd === null || usd === undefined || usd === "") return "–";
  const amount = Number(usd);
  if (!Number.isFinite(amount)) return "–";
  return amount !== 0 && Math.abs(amount) < 1 ? SMALL.format(amount) : WHOLE_CENTS.format(amount);
}
