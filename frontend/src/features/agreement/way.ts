/** How agreement is measured, by the address, and read twice: points at once, then with their intervals. */
import { kept, read } from "../../api/client";
import type { AgreementDimensionEnum, LabelViewEnum, MissingVotesEnum } from "../../api/schema";
import { useIntervals } from "../../domain/intervals";
import { ruleOf, viewOf } from "../../domain/vote-reading";
import type { SearchState } from "../../lib/search-state";

/** How votes are read; `check` is the key of a check about the question, empty for answers. */
export interface AgreementWay {
  readonly missingVotes: MissingVotesEnum;
  readonly labels: LabelViewEnum;
  readonly check: string;
}

function parametersOf({ missingVotes, labels, check }: AgreementWay, intervals: boolean) {
  return { missing_votes: missingVotes, labels, check, intervals };
}

export function agreementQuery(slug: string, way: AgreementWay, intervals: boolean) {
  return kept(read("/api/projects/{slug}/agreement", { slug }, parametersOf(way, intervals)));
}

export function wayOf(search: SearchState): AgreementWay {
  return {
    missingVotes: ruleOf(search.read("missing")),
    labels: viewOf(search.read("labels")),
    check: search.read("check") ?? "",
  };
}

export function useSlices(slug: string, way: AgreementWay, by: AgreementDimensionEnum) {
  return useIntervals((intervals) =>
    read("/api/projects/{slug}/agreement/slices", { slug }, { ...parametersOf(way, intervals), by }),
  );
}
