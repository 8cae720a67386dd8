/** How many items fit a filter, said before anything is drawn. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ask } from "../../api/client";
import type { RoundFilterRequest } from "../../api/schema";
import { messageOf } from "../../api/error";
import { Notice } from "../../components/notice";
import { countOf } from "../../lib/numbers";

interface PopulationProps {
  readonly slug: string;
  readonly set: string;
  readonly filter: RoundFilterRequest;
}

export function Population({ slug, set, filter }: PopulationProps) {
  const query = useQuery({
    ...ask("/api/projects/{slug}/tagging/preview", { slug }, { set, filter }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (query.error) return <Notice tone="warning">{messageOf(query.error)}</Notice>;
  const population = query.data?.population;
  return (
    <p aria-live="polite">
      {population === undefined ? "Counting …" : `${countOf(population, "item")} to draw from.`}
    </p>
  );
}
