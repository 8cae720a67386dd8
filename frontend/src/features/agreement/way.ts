/** How agreement is measured, by the address, and read twice: points at once, then with their intervals. */
import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type {
  Agreement,
  AgreementDimensionEnum,
  LabelViewEnum,
  MissingVotesEnum,
  Slices,
} from "../../api/schema";
import { ruleOf, viewOf } from "../../domain/vote-reading";
import type { SearchState } from "../../lib/search-state";

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

export function wayOf(search: SearchState): AgreementWay {
  return {
    missingVotes: ruleOf(search.read("missing")),
    labels: viewOf(search.read("labels")),
    check: search.read("check") ?? "",
  };
}

interface InTwoSteps<Data> {
  readonly query: UseQueryResult<Data>;
  /** Whether points stand there whose intervals are still being computed. */
  readonly isComputing: boolean;
}

function laterOf<Data>(points: UseQueryResult<Data>, whole: UseQueryResult<Data>): InTwoSteps<Data> {
  const isThere = whole.data !== undefined && !whole.isPlaceholderData;
  return { query: isThere ? whole : points, isComputing: !isThere && whole.isFetching };
}

export function useAgreement(slug: string, way: AgreementWay): InTwoSteps<Agreement> {
  const points = useQuery(agreementQuery(slug, way, { intervals: false }));
  const whole = useQuery({
    ...agreementQuery(slug, way, { intervals: true }),
    enabled: points.isSuccess && !points.isPlaceholderData,
  });
  return laterOf(points, whole);
}

export function useSlices(slug: string, way: AgreementWay, by: AgreementDimensionEnum): InTwoSteps<Slices> {
  const ask = (wanted: Wanted) =>
    read("/api/projects/{slug}/agreement/slices", { slug }, { ...parametersOf(way, wanted), by });
  const points = useQuery(ask({ intervals: false }));
  const whole = useQuery({ ...ask({ intervals: true }), enabled: points.isSuccess });
  return laterOf(points, whole);
}
