/** Agreement in words, so that no number stands without its meaning. */
import type { AgreementDimensionEnum, LabelDecided, SignedAgreement } from "../../api/schema";
import { figureIn, intervalWords, whyWords } from "../../components/figure";
import { labelName } from "../../domain/labels";
import { countOf, FEW, formatCoefficient, formatCount, formatPercent, statistic } from "../../lib/numbers";
import type { AgreementWay } from "./way";

export const DIMENSIONS = [
  { value: "question_type", name: "Question word" },
  { value: "answer_length", name: "Answer length" },
  { value: "exact_match", name: "Exact match" },
  { value: "system_family", name: "System family" },
  { value: "system", name: "System" },
  { value: "rater", name: "Annotator" },
  { value: "week", name: "Week of the last vote" },
  { value: "protocol_version", name: "Protocol version" },
  { value: "dataset", name: "Data set" },
  { value: "flag", name: "Question flag" },
] as const satisfies readonly { readonly value: AgreementDimensionEnum; readonly name: string }[];

export function dimensionOf(text: string | undefined): AgreementDimensionEnum {
  return DIMENSIONS.find(({ value }) => value === text)?.value ?? "question_type";
}

/** The labels that were offered; a vote that was not given is none. */
export const labelsOf = ({ distribution }: Pick<SignedAgreement, "distribution">): string[] =>
  Object.keys(distribution).filter((label) => label !== "missing");

/** Every label raises AC1, so it is said how many there are. */
export function ac1Words(report: Pick<SignedAgreement, "distribution">): string {
  const labels = labelsOf(report).length;
  return (report.distribution["missing"] ?? 0) > 0
    ? `AC1 uses ${formatCount(labels + 1)} labels. “No vote” is one of them and raises AC1. To use ${formatCount(labels)} labels, leave out answers with missing votes.`
    : `AC1 uses ${formatCount(labels)} labels.`;
}

/** What raters are compared on: a check is about questions. */
export function thingOf(way: AgreementWay | undefined): "answer" | "question" {
  return way?.check ? "question" : "answer";
}

/** `thing`: what is compared, "answer" or "question". */
export function headline(report: SignedAgreement, thing = "answer"): string {
  const observed = figureIn(report.figures, "observed_agreement");
  if (observed.value === null) {
    return `Agreement cannot be computed from ${countOf(report.items, thing)}. ${whyWords(observed) ?? ""}`.trim();
  }
  if (report.items < FEW)
    return `${fewWords(report, thing)} There are too few ${thing}s for reliable coefficients.`;
  const rows = `${observedWords(report, observed.value, thing)} and disagreed on ${formatCount(report.disagreements)}.`;
  const kappa = figureIn(report.figures, "fleiss_kappa");
  if (kappa.value === null) return `${rows} ${whyWords(kappa) ?? ""}`.trim();
  const interval = intervalWords(kappa, formatCoefficient);
  const band = report.band ? `: ${report.band}` : "";
  return `${rows} Corrected for chance, ${statistic("κ", formatCoefficient(kappa.value))}${interval && `, ${interval}`}${band}.`;
}

function fewWords({ items, disagreements }: SignedAgreement, thing: string): string {
  return `On ${formatCount(items - disagreements)} of ${countOf(items, thing)}, all annotators gave the same label.`;
}

function observedWords(report: SignedAgreement, observed: number, thing: string): string {
  const share = formatPercent(observed);
  if (report.raters === 2)
    return `The annotators gave the same label to ${share} of ${countOf(report.items, thing)}`;
  return `Pairs of annotators gave the same label ${share} of the time. Annotators judged ${countOf(report.items, thing)}`;
}

/** What agreement rests on where one rater and a judge may settle answers. */
export function leftOutWords(leftOut: number): string {
  return `These figures exclude ${countOf(leftOut, "answer")} that routing assigned to only one annotator, or assigned to a second annotator only after the first label was known.`;
}

/** A label's key in words. */
export function labelWords(label: string): string {
  return label === "" || label === "missing" ? "No vote" : labelName(label);
}

const DECISION_SOURCES: Readonly<Record<string, string>> = {
  unanimous: "All annotators agreed",
  majority: "Majority of annotators",
  adjudicated: "Adjudicated",
  routed: "One annotator and a judge",
  prejudged: "Settled by a judge",
  imported: "Imported",
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
