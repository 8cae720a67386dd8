/** Says that files brought votes on a part of the questions only, and offers to judge just that part. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Import } from "../../api/contract";
import { messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { countOf, formatCount } from "../../lib/numbers";
import { useDraw } from "./use-draw";

function bringsVotes({ state, counts }: Import): boolean {
  return state === "applied" && ((counts["votes"] ?? 0) > 0 || (counts["decisions"] ?? 0) > 0);
}

export function VotedPart({ slug }: { readonly slug: string }) {
  const imports = useQuery(read("/api/projects/{slug}/imports", { slug })).data;
  const sample = useQuery(read("/api/projects/{slug}/sample", { slug })).data;
  const draw = useDraw(slug);
  // A part that somebody chose stays chosen; raters' own votes alone are work under way.
  if (!sample || sample.method !== "all" || !imports?.some(bringsVotes)) return null;
  const { judged, sampled } = sample;
  if (judged === 0 || judged >= sampled) return null;
  return (
    <Notice
      tone="warning"
      title={`Votes stand on ${formatCount(judged)} of ${countOf(sampled, "question")}`}
      actions={
        <Button size="small" busy={draw.isPending} onClick={() => draw.mutate({ method: "votes" })}>
          {`Take just these ${formatCount(judged)}`}
        </Button>
      }
    >
      <p>
        On the other {formatCount(sampled - judged)} scores by people are exact match until somebody judges
        them. If nobody will, take just the questions with votes: scores of all stay beside them.
      </p>
      {draw.isError && <p role="alert">{messageOf(draw.error)}</p>}
    </Notice>
  );
}
