/** Which answers an address names, in words. */
import { type BoardCell, cellWords } from "./board-cell";
import { type Dispute, disputeWords } from "./dispute";

/** A run's id, or "people". */
export interface Said {
  readonly accepted_by?: string;
  readonly rejected_by?: string;
  readonly unscored_by?: string;
}

export interface Chosen {
  readonly run: string | undefined;
  readonly said: Said;
  readonly question: string | undefined;
  readonly cell: BoardCell | undefined;
  readonly dispute: Dispute | undefined;
}

export type NameOf = (run: string) => string;

export function whichWords({ run, said, question, cell, dispute }: Chosen, nameOf: NameOf): string {
  if (question !== undefined) return "to one question";
  if (cell) return cellWords(cell);
  if (dispute) return disputeWords(dispute);
  return run === undefined ? saidWords(said, nameOf) : `on which ${nameOf(run)} and people differ`;
}

function saidWords({ accepted_by, rejected_by, unscored_by }: Said, nameOf: NameOf): string {
  const words = [
    accepted_by && (accepted_by === "people" ? "people accept" : `${nameOf(accepted_by)} accepts`),
    rejected_by && (rejected_by === "people" ? "people reject" : `${nameOf(rejected_by)} rejects`),
    unscored_by && `${nameOf(unscored_by)} could not judge`,
  ].filter(Boolean);
  return words.length === 0 ? "" : `that ${words.join(" and ")}`;
}
