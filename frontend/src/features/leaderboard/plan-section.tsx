/** How many labels sure scores need, what a judge spares of them, and a button that draws exactly these. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post, read } from "../../api/client";
import type { Plan } from "../../api/schema";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { Choice, Refusal } from "../../components/form";
import { Section } from "../../components/page";
import { QueryView } from "../../components/query-view";
import { whyWords } from "../../components/figure";
import { useWrite } from "../../components/use-write";
import { t } from "../../lib/i18n/t";
import { countOf, formatCount, formatPercent, formatPoints } from "../../lib/numbers";

const POINTS = ["1", "1.5", "2", "3", "5"] as const;

export function PlanSection() {
  const { slug, role, state } = useProject();
  const [points, setPoints] = useState("2");
  const isLead = role === "lead" && state !== "archived";
  const query = useQuery({
    ...read("/api/projects/{slug}/leaderboard/plan", { slug }, { points: Number(points) }),
    enabled: isLead,
  });
  const draw = useWrite(
    () => post("/api/projects/{slug}/leaderboard/plan", { slug }, { points: Number(points) }),
    {
      note: ({ sampled }) => `People now judge ${countOf(sampled, "question")}.`,
      stale: [keyOf("/api/projects/{slug}", { slug })],
    },
  );
  if (!isLead) return null;
  return (
    <Section title="How many labels it takes">
      <Choice
        label="How sure scores are to be"
        value={points}
        options={POINTS.map((value) => ({ value, name: `± ${value} points` }))}
        onChange={setPoints}
      />
      <QueryView query={query}>
        {(plan) => (
          <>
            <p>{planWords(plan)}</p>
            {canDraw(plan) && (
              <Button busy={draw.isPending} onClick={() => draw.mutate()}>
                Draw these {formatCount(plan.questions)} questions
              </Button>
            )}
            <Refusal error={draw.error} />
          </>
        )}
      </QueryView>
    </Section>
  );
}

function canDraw({ why, questions, already }: Plan): boolean {
  return why === null && questions > already;
}

/** What is needed, what is expected to be saved, and that none of it is promised. */
export function planWords(plan: Plan): string {
  const why = whyWords(plan);
  if (plan.questions === 0) return why ?? "";
  const further = plan.questions - plan.already;
  const needs =
    further > 0
      ? `± ${formatPoints(plan.points / 100)} points for every system need about ${countOf(further, "more question")}, ${formatCount(plan.questions)} in all with about ${countOf(plan.answers, "label")}`
      : `What is drawn already is enough for ± ${formatPoints(plan.points / 100)} points`;
  const beside = `without ${plan.judge} it would be ${countOf(plan.plain, "question")}, so that ${formatPercent(plan.saving, 0)} are expected to be saved`;
  return [why, `${needs}; ${beside}.`, savingWords(plan)].filter(Boolean).join(" ");
}

function savingWords({ is_better }: Plan): string {
  return is_better
    ? t(
        "The saving is expected, not promised: the interval that comes of the labels holds, however wide it is.",
      )
    : t(
        "No saving is promised: the judge is not known to err less than the best system it judges. The interval that comes of the labels holds all the same.",
      );
}
