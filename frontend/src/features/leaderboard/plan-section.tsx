/** How many labels sure scores need, what a judge spares of them, and a button that draws exactly these. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post, read } from "../../api/client";
import type { Plan, Sample } from "../../api/schema";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { Choice, Refusal } from "../../components/form";
import { Section } from "../../components/page";
import { QueryView } from "../../components/query-view";
import { whyWords } from "../../components/figure";
import { useWrite } from "../../components/use-write";
import { t } from "../../lib/i18n/t";
import { countOf, formatPercent, formatPoints } from "../../lib/numbers";

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
      note: ({ sampled }) => `People currently judge ${countOf(sampled, "question")}.`,
      stale: [keyOf("/api/projects/{slug}", { slug })],
    },
  );
  const sample = useQuery({ ...read("/api/projects/{slug}/sample", { slug }), enabled: isLead }).data;
  if (!isLead) return null;
  const replaced = sample ? replacedWords(sample) : "";
  return (
    <Section title="Plan more labels">
      <Choice
        label="Target precision"
        value={points}
        options={POINTS.map((value) => ({ value, name: `±${value} points` }))}
        onChange={setPoints}
      />
      <QueryView query={query}>
        {(plan) => (
          <>
            <p>{planWords(plan)}</p>
            {canDraw(plan) && (
              <div className="fields">
                {replaced && <p>{replaced}</p>}
                <Button busy={draw.isPending} onClick={() => draw.mutate()}>
                  {`${replaced ? "Replace them with a sample of" : "Sample"} ${countOf(plan.questions, "question")}`}
                </Button>
              </div>
            )}
            <Refusal error={draw.error} />
          </>
        )}
      </QueryView>
    </Section>
  );
}

/** That a plan starts anew where somebody chose questions whose scores say nothing of the others; else "". */
export function replacedWords({ method, options, sampled, questions }: Sample): string {
  const isOfAll = !options["dataset"] && !options["tag"] && !options["common"];
  if (sampled === questions || method === "strata" || (method === "seed" && isOfAll)) return "";
  return `People currently judge ${countOf(sampled, "question")} that you chose. This plan is for scores on all ${countOf(questions, "question")}, so it would replace your choice. You do not need a plan to score only the questions that you chose.`;
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
      : t("Currently, the widest interval for any system is ±{now} points.", {
          now: formatPoints(plan.now / 100),
        });
  if (isReached(plan)) return `${t("This precision has already been reached.")} ${now}`;
  if (plan.has_prejudged)
    return `${now} ${t("Automatic judges settled some answers, so only a larger audit would narrow the interval; sampling more questions would not. For answers you import later, choose a larger audit share before you apply the policy. For answers already settled, undo a rule under Pre-judging and apply it again with a larger share.")}`.trim();
  // What more labels would bring is not said where they cannot bring it.
  if (plan.questions === 0 || why) return [now, why].filter(Boolean).join(" ");
  const further = plan.questions - plan.already;
  const precision = `±${formatPoints(plan.points / 100)} points`;
  const labels = `with about ${countOf(plan.answers, "label")}`;
  const needs =
    plan.already === 0
      ? `To reach ${precision} for every system, people need to judge about ${countOf(plan.questions, "question")} sampled at random, ${labels}. Questions that were not sampled at random do not count.`
      : further > 0
        ? `To reach ${precision} for every system, people need to judge about ${countOf(further, "more question")}. In total, this is ${countOf(plan.questions, "question")}, ${labels}.`
        : `The questions sampled so far are enough for ${precision}.`;
  const beside = `Without ${plan.judge}, people would need to judge ${countOf(plan.plain, "question")}`;
  const saved =
    plan.saving > 0
      ? `${beside}. The expected savings are ${formatPercent(plan.saving, 0)}.`
      : `${beside}, so the judge saves no labels.`;
  return [now, needs, saved, plan.saving > 0 && savingWords(plan)].filter(Boolean).join(" ");
}

function savingWords({ is_better }: Plan): string {
  return is_better
    ? t("The savings are not guaranteed, but the interval is valid whatever labels people choose.")
    : t(
        "There may be no savings, because the judge’s error rate may be as high as that of the best system. The interval is still valid.",
      );
}
