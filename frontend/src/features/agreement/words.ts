/** Agreement in words, so that no number stands without its meaning. */
import type { AgreementReport, MissingVotes } from "../../api/contract";
import { countOf, formatCoefficient, formatCount, formatPercent } from "../../lib/numbers";

export const MISSING_VOTES = [
  { value: "own-category", name: "a category of its own" },
  { value: "drop", name: "nothing: the answer is left out" },
  { value: "as-incorrect", name: "incorrect" },
  { value: "as-correct", name: "correct" },
] as const;

export function ruleOf(text: string | undefined): MissingVotes {
  return MISSING_VOTES.find(({ value }) => value === text)?.value ?? "own-category";
}

export interface Coefficient {
  readonly key: string;
  readonly name: string;
  readonly value: number | null;
  readonly isShare: boolean;
  readonly note: string;
}

/** The coefficients in the order in which people read them; with two raters Fleiss is Scott's π. */
export function coefficientsOf(report: AgreementReport): Coefficient[] {
  const fleiss = report.raters === 2 ? "Fleiss’ κ (Scott’s π)" : "Fleiss’ κ";
  return [
    {
      key: "observed_agreement",
      name: "Observed agreement",
      value: report.observed_agreement,
      isShare: true,
      note: "Share of answers with equal votes.",
    },
    {
      key: "cohen_kappa",
      name: "Cohen’s κ",
      value: report.cohen_kappa,
      isShare: false,
      note: "Beyond chance, each rater with a base rate of their own.",
    },
    {
      key: "fleiss_kappa",
      name: fleiss,
      value: report.fleiss_kappa,
      isShare: false,
      note: "Beyond chance, one base rate for all.",
    },
    {
      key: "krippendorff_alpha",
      name: "Krippendorff’s α",
      value: report.krippendorff_alpha,
      isShare: false,
      note: "Beyond chance, corrected for few answers.",
    },
    {
      key: "gwet_ac1",
      name: "Gwet’s AC1",
      value: report.gwet_ac1,
      isShare: false,
      note: "Beyond chance, steady where one label is rare.",
    },
  ];
}

export function formatValue(coefficient: Coefficient): string {
  return coefficient.isShare ? formatPercent(coefficient.value) : formatCoefficient(coefficient.value, 3);
}

export function headline(report: AgreementReport): string {
  const rows = `The raters gave equal votes to ${formatPercent(report.observed_agreement)} of ${countOf(report.items, "answer")} and differed on ${formatCount(report.disagreements)}.`;
  if (report.fleiss_kappa === null) return `${rows} ${report.words["fleiss_kappa"] ?? ""}`.trim();
  const [low, high] = report.interval["fleiss_kappa"] ?? [];
  const interval =
    low === undefined || high === undefined
      ? ""
      : `, 95 % interval ${formatCoefficient(low)} to ${formatCoefficient(high)}`;
  const band = report.band ? `: ${report.band}` : "";
  return `${rows} Beyond chance that is κ = ${formatCoefficient(report.fleiss_kappa)}${interval}${band}.`;
}
