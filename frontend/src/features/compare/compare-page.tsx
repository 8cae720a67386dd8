/** Chosen projects beside each other: which judge comes nearest to people, and on which systems. */
import { useQuery } from "@tanstack/react-query";
import { kept, read } from "../../api/client";
import type { Comparison, Evaluator } from "../../api/schema";
import { ButtonLink } from "../../components/button";
import { Page, PageHeader, useTitle } from "../../components/page";
import { EmptyState, QueryView } from "../../components/query-view";
import { isPartlyJudged, partlyJudgedWords } from "../../domain/judged";
import { countOf, formatPoints } from "../../lib/numbers";
import { type SearchState, useSearchState } from "../../lib/search-state";
import { JudgeChoice, ProjectChoice } from "./choices";
import { DistanceSection } from "./distance-section";
import { chosenOf, comparableWith } from "./nearest";
import { ScoresSection } from "./scores-section";

export function ComparePage() {
  useTitle("Compare projects");
  const search = useSearchState();
  const chosen = search.read("projects")?.split(",").filter(Boolean) ?? [];
  const projects = useQuery(read("/api/projects"));
  const comparison = useQuery({
    ...kept(read("/api/comparison", {}, { projects: chosen.join(",") })),
    enabled: chosen.length > 0,
  });
  const own = projects.data?.filter(({ role }) => role !== "annotator") ?? [];
  return (
    <Page>
      <PageHeader
        title="Compare projects"
        lead={chosen.length > 0 && comparison.data && headline(comparison.data)}
        actions={<ButtonLink to="/">All projects</ButtonLink>}
      />
      <QueryView query={projects}>
        {() =>
          own.length === 0 ? (
            <EmptyState title="Project comparisons appear here">
              <p>Only a project’s leads, adjudicators, and viewers can see its scores.</p>
            </EmptyState>
          ) : (
            <ProjectChoice projects={own} chosen={chosen} search={search} />
          )
        }
      </QueryView>
      {chosen.length > 0 && (
        <QueryView query={comparison}>{(found) => <Compared comparison={found} search={search} />}</QueryView>
      )}
      {chosen.length === 0 && own.length > 0 && (
        <EmptyState title="Choose projects to compare">
          <p>One table will show their systems, with people’s scores and each judge’s scores.</p>
        </EmptyState>
      )}
    </Page>
  );
}

function headline({ evaluators, projects }: Comparison): string {
  const [nearest] = comparableWith(evaluators);
  if (!nearest) return "No judge can be compared with people yet.";
  const fewer = evaluators.some(({ systems }) => systems > 0 && systems < nearest.systems);
  const among = fewer ? `Among the judges that scored all ${countOf(nearest.systems, "system")}, ` : "";
  const over = `over ${countOf(nearest.systems, "system")} in ${countOf(projects.length, "project")}`;
  return `${among}${nearest.name} is closest to people: its mean distance is ${formatPoints(nearest.distance.value)} points${fewer ? "" : ` ${over}`}.`;
}

interface ComparedProps {
  readonly comparison: Comparison;
  readonly search: SearchState;
}

function Compared({ comparison, search }: ComparedProps) {
  const shown: readonly Evaluator[] = chosenOf(comparison.evaluators, search.read("judges"));
  const silent = comparison.projects.filter(({ has_people }) => !has_people);
  const counted = comparison.projects.filter(({ is_estimated }) => !is_estimated);
  const partly = counted.filter(isPartlyJudged);
  const open = counted.filter(({ has_people, all_decided }) => has_people && !all_decided);
  const estimated = comparison.projects.filter(({ is_estimated }) => is_estimated);
  if (comparison.rows.length === 0)
    return (
      <EmptyState title="No systems to compare yet">
        <p>None of the chosen projects has system answers.</p>
      </EmptyState>
    );
  return (
    <>
      <div className="soft">
        {comparison.projects.length === 1 && <p>Choose another project to compare with this one.</p>}
        {silent.length > 0 && (
          <p>People have not decided any answers yet in {namesOf(silent)}, so no distance is shown.</p>
        )}
        {open.length > 0 && <p>People have not decided all answers yet in {namesOf(open)}.</p>}
        {estimated.map((project) => (
          <p key={project.slug}>
            {project.name}: scores cover all {countOf(project.n_questions, "question")}. People’s scores are
            estimated from a random sample. Judges that judged only the sample are left out.
          </p>
        ))}
        {partly.map((project) => (
          <p key={project.slug}>
            {project.name}: {partlyJudgedWords(project)}
          </p>
        ))}
      </div>
      <JudgeChoice all={comparison.evaluators} shown={shown} search={search} />
      {shown.length === 0 ? (
        <p>No judge has judged answers in these projects yet.</p>
      ) : (
        <>
          <DistanceSection comparison={comparison} evaluators={shown} />
          <ScoresSection comparison={comparison} evaluators={shown} />
        </>
      )}
    </>
  );
}

function namesOf(projects: readonly { readonly name: string }[]): string {
  return projects.map(({ name }) => name).join(", ");
}
