/** Agreement in words, so that no number stands without its meaning. */
import type { AgreementWay } from "../../api/agreement";
import type { AgreementDimensionEnum, AgreementFigures, LabelDecided } from "../../api/schema";
import { countOf, FEW, formatCoefficient, formatCount, formatPercent } from "../../lib/numbers";

export const DIMENSIONS = [
  { value: "question_type", name: "Question word" },
  { value: "answer_length", name: "Length of the answer" },
  { value: "exact_match", name: "Exact match" },
  { value: "system_family", name: "Family of systems" },
  { value: "system", name: "System" },
  { value: "rater", name: "Rater" },
  { value: "week", name: "Week of the last vote" },
  { value: "protocol_version", name: "Protocol version" },
  { value: "dataset", name: "Data set" },
  { value: "flag", name: "Raters’ flags" },
] as const satisfies readonly { readonly value: AgreementDimensionEnum; readonly name: string }[];

export function dimensionOf(text: string | undefined): AgreementDimensionEnum {
  return DIMENSIONS.find(({ value }) => value === text)?.value ?? "question_type";
}

export interface Coefficient {
  readonly key: string;
  readonly name: string;
  readonly value: number | null;
  readonly isShare: boolean;
  readonly note: string;
}

/** The coefficients in the order in which people read them; with two raters Fleiss is Scott's π. */
export function coefficientsOf(report: AgreementFigures): Coefficient[] {
  const fleiss = report.raters === 2 ? "Fleiss’ κ (Scott’s π)" : "Fleiss’ κ";
  return [
    {
      key: "observed_agreement",
      name: "Observed agreement",
      value: report.observed_agreement,
      isShare: true,
      note:
        report.raters === 2
          ? "Share of answers with equal votes."
          : "Share of pairs of votes that are equal.",
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
    ...ordinalOf(report),
    {
      key: "gwet_ac1",
      name: "Gwet’s AC1",
      value: report.gwet_ac1,
      isShare: false,
      note: `Beyond chance, steady where one label is rare. ${ac1Words(report)}`,
    },
  ];
}

/** Every label raises AC1, so it is said how many there are. */
function ac1Words({ distribution }: AgreementFigures): string {
  const labels = Object.keys(distribution).filter((label) => label !== "missing").length;
  return (distribution["missing"] ?? 0) > 0
    ? `It counts ${formatCount(labels + 1)} labels, “no vote” among them, which raises it; leave such answers out to count ${formatCount(labels)}.`
    : `It counts ${formatCount(labels)} labels.`;
}

/** Two labels have no more order than none. */
function ordinalOf(report: AgreementFigures): Coefficient[] {
  const labels = Object.keys(report.distribution).filter((label) => label !== "missing");
  if (labels.length < 3) return [];
  return [
    {
      key: "krippendorff_alpha_ordinal",
      name: "α of ordered labels",
      value: report.krippendorff_alpha_ordinal,
      isShare: false,
      note: "Neighboring labels differ less than the ends.",
    },
  ];
}

export function formatValue(coefficient: Coefficient): string {
  return coefficient.isShare ? formatPercent(coefficient.value) : formatCoefficient(coefficient.value, 3);
}

/** What raters are compared on: a check is about questions. */
export function thingOf(way: AgreementWay | undefined): "answer" | "question" {
  return way?.check ? "question" : "answer";
}

/** `thing`: what is compared, "answer" or "question". */
export function headline(report: AgreementFigures, thing = "answer"): string {
  if (report.observed_agreement === null) {
    const why = report.words["observed_agreement"] ?? "";
    return `How far raters agree cannot be said of ${countOf(report.items, thing)}. ${why}`.trim();
  }
  if (report.items < FEW) return `${fewWords(report, thing)} Too few for a coefficient to mean much.`;
  const rows = `${observedWords(report, thing)} and differed on ${formatCount(report.disagreements)}.`;
  if (report.fleiss_kappa === null) return `${rows} ${report.words["fleiss_kappa"] ?? ""}`.trim();
  const [low, high] = report.interval["fleiss_kappa"] ?? [];
  const interval =
    low === undefined || high === undefined
      ? ""
      : `, 95 % interval ${formatCoefficient(low)} to ${formatCoefficient(high)}`;
  const band = report.band ? `: ${report.band}` : "";
  return `${rows} Beyond chance that is κ = ${formatCoefficient(report.fleiss_kappa)}${interval}${band}.`;
}

function fewWords({ items, disagreements }: AgreementFigures, thing: string): string {
  return `On ${formatCount(items - disagreements)} of ${countOf(items, thing)} all raters gave equal votes.`;
}

function observedWords(report: AgreementFigures, thing: string): string {
  const share = formatPercent(report.observed_agreement);
  if (report.raters === 2)
    return `The raters gave equal votes to ${share} of ${countOf(report.items, thing)}`;
  return `Two raters gave equal votes ${share} of the time; all together they judged ${countOf(report.items, thing)}`;
}

/** A label's key in words. */
export function labelWords(label: string): string {
  if (label === "" || label === "missing") return "No vote";
  const words = label.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const DECISION_SOURCES: Readonly<Record<string, string>> = {
  unanimous: "All raters agreed",
  majority: "Majority of raters",
  adjudicated: "Decided in the queue",
  prejudged: "Settled by a judge",
  imported: "Came with an import",
  reused: "Decided in another project",
};

export function decisionSourceWords(source: string): string {
  return DECISION_SOURCES[source] ?? source;
}

/** What settled any of these, in the order of the words above. */
export function sourcesOf(rows: readonly LabelDecided[]): string[] {
  const found = new Set(rows.flatMap(({ sources }) => Object.keys(sources)));
  return Object.keys(DECISION_SOURCES).filter((source) => found.has(source));
}
