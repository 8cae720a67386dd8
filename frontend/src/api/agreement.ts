/** How far the raters agree, in one way of reading their votes; points come before their intervals. */
import { keepPreviousData } from "@tanstack/react-query";
import { read } from "./client";
import type { AgreementDimensionEnum, LabelViewEnum, MissingVotesEnum } from "./schema";

/** How votes are read; `check` is the key of a check about the question, empty for answers. */
export interface AgreementWay {
  readonly missingVotes: MissingVotesEnum;
  readonly labels: LabelViewEnum;
  readonly check: string;
}

interface Wanted {
  readonly intervals: boolean;
}

function parametersOf({ missingVotes, labels, check }: AgreementWay, { intervals }: Wanted) {
  return { missing_votes: missingVotes, labels, check, intervals };
}

export function agreementQuery(slug: string, way: AgreementWay, wanted: Wanted) {
  return {
    ...read("/api/projects/{slug}/agreement", { slug }, parametersOf(way, wanted)),
    placeholderData: keepPreviousData,
  };
}

export function agreementSlicesQuery(
  slug: string,
  way: AgreementWay,
  by: AgreementDimensionEnum,
  wanted: Wanted,
) {
  return read("/api/projects/{slug}/agreement/slices", { slug }, { ...parametersOf(way, wanted), by });
}
