/** Reads agreement twice: points at once, then with their intervals. */
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type AgreementWay, agreementQuery, agreementSlicesQuery } from "../../api/agreement";
import type { Agreement, AgreementDimensionEnum, Slices } from "../../api/schema";

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
  const points = useQuery(agreementSlicesQuery(slug, way, by, { intervals: false }));
  const whole = useQuery({
    ...agreementSlicesQuery(slug, way, by, { intervals: true }),
    enabled: points.isSuccess,
  });
  return laterOf(points, whole);
}
