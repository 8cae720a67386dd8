/** Agreement in words, so that no number stands without its meaning. */
import type { AgreementDimensionEnum, LabelDecided, SignedAgreement } from "../../api/schema";
import { figureIn, intervalWords, whyWords } from "../../components/figure";
import { labelName } from "../../domain/labels";
import { countOf, FEW, formatCoefficient, formatCount, formatPercent } from "../../lib/numbers";
import type { AgreementWay } from "./way";

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

/** The labels that were offered; a vote that was not given is none. */
export const labelsOf = ({ distribution }: Pick<SignedAgreement, "distribution">): string[] =>
  Object.keys(distribution).filter((label) => label !== "missing");

/** Every label raises AC1, so it is said how many there are. */
export function ac1Words(report: Pick<SignedAgreement, "distribution">): string {
  const labels = labelsOf(report).length;
  return (report.distribution["missing"] ?? 0) > 0
    ? `It counts ${formatCount(labels + 1)} labels, “no vote” among them, which raises it; leave such answers out to count ${formatCount(labels)}.`
    : `It counts ${formatCount(labels)} labels.`;
}

/** What raters are compared on: a check is about questions. */
export function thingOf(way: AgreementWay | undefined): "answer" | "question" {
  return way?.check ? "question" : "answer";
}

/** `thing`: what is compared, "answer" or "question". */
export function headline(report: SignedAgreement, thing = "answer"): string {
  const observed = figureIn(report.figures, "observed_agreement");
  if (observed.value === null) {
    return `How far raters agree cannot be said of ${countOf(report.items, thing)}. ${whyWords(observed) ?? ""}`.trim();
  }
  if (report.items < FEW) return `${fewWords(report, thing)} Too few for a coefficient to mean much.`;
  const rows = `${observedWords(report, observed.value, thing)} and differed on ${formatCount(report.disagreements)}.`;
  const kappa = figureIn(report.figures, "fleiss_kappa");
  if (kappa.value === null) return `${rows} ${whyWords(kappa) ?? ""}`.trim();
  const interval = intervalWords(kappa, formatCoefficient);
  const band = report.band ? `: ${report.band}` : "";
  return `${rows} Beyond chance that is κ = ${formatCoefficient(kappa.value)}${interval && `, ${interval}`}${band}.`;
}

function fewWords({ items, disagreements }: SignedAgreement, thing: string): string {
  return `On ${formatCount(items - disagreements)} of ${countOf(items, thing)} all raters gave equal votes.`;
}

function observedWords(report: SignedAgreement, observed: number, thing: string): string {
  const share = formatPercent(observed);
  if (report.raters === 2)
    return `The raters gave equal votes to ${share} of ${countOf(report.items, thing)}`;
  return `Two raters gave equal votes ${share} of the time; all together they judged ${countOf(report.items, thing)}`;
}

/** What agreement rests on where one rater and a judge may settle answers. */
export function leftOutWords(leftOut: number): string {
  return `Only answers with all their raters whatever the first one said count here: ${countOf(leftOut, "answer")} that routing gave to one rater, or to a second because of the first, ${leftOut === 1 ? "is" : "are"} left out.`;
}

/** A label's key in words. */
export function labelWords(label: string): string {
  return label === "" || label === "missing" ? "No vote" : labelName(label);
}

const DECISION_SOURCES: Readonly<Record<string, string>> = {
  unanimous: "All raters agreed",
  majority: "Majority of raters",
  adjudicated: "Decided in the queue",
  routed: "One rater and a judge",
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
