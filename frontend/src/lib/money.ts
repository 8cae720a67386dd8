/** Amounts in US dollars, which the server sends as decimal text. */
import { numberFormat } from "./i18n/formats";

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
