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
    <Section title="Plan more labels">
      <Choice
        label="Target precision"
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

function canDraw(plan: Plan): boolean {
  return plan.why === null && plan.questions > plan.already && !plan.has_prejudged && !isReached(plan);
}

/** Whether the leaderboard is as sure as that without any further label. */
function isReached({ now, points }: Plan): boolean {
  return now !== null && now <= points;
}

/** What is needed, what is expected to be saved, and that none of it is promised. */
export function planWords(plan: Plan): string {
  const why = whyWords(plan);
  const now =
    plan.now === null
      ? ""
      : t("The least sure system’s interval is ± {now} points now.", { now: formatPoints(plan.now / 100) });
  if (isReached(plan)) return `${t("Already reached.")} ${now}`;
  if (plan.has_prejudged)
    return `${now} ${t("Rules settled answers, so drawing more questions would not narrow it. It takes a larger audit: for answers imported later choose a larger audit share before you apply the policy; of what is settled, undo a rule on Pre-judging, then apply it again with a larger share.")}`.trim();
  if (plan.questions === 0) return why ?? "";
  const further = plan.questions - plan.already;
  const precision = `± ${formatPoints(plan.points / 100)} points`;
  const needs =
    further > 0
      ? `For ${precision} on every system, people need to judge about ${countOf(further, "more question")}: ${formatCount(plan.questions)} in all, with about ${countOf(plan.answers, "label")}.`
      : `The questions drawn so far are enough for ${precision}.`;
  const beside = `Without ${plan.judge} it would take ${countOf(plan.plain, "question")}`;
  const saved =
    plan.saving > 0
      ? `${beside}: an expected saving of ${formatPercent(plan.saving, 0)}.`
      : `${beside}, so nothing is saved.`;
  return [now, why, needs, saved, savingWords(plan)].filter(Boolean).join(" ");
}

function savingWords({ is_better }: Plan): string {
  return is_better
    ? t("The saving is an expectation, not a promise. The interval is valid whatever the labels show.")
    : t(
        "No saving is promised: the judge is not known to err less often than the best system it judges. The interval is valid all the same.",
      );
}
