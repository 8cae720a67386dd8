/** The judges: how far they agree with people, which are at work, which are done, and setting another to work. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { JudgeBoardRow } from "../../api/schema";
import { useProject } from "../../api/project";
import { figureColumn } from "../../components/figure";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { ProjectButtonLink, ProjectLink } from "../../components/project-link";
import { QueryView, Skeleton } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import { Term } from "../../components/term";
import { AwaitingState } from "../../domain/first-step";
import { Computing, useIntervals } from "../../domain/intervals";
import { LEARNED_CAUTION } from "../../domain/known-judges";
import { VotesStep } from "../../domain/votes-awaited";
import { WorkerNotice } from "../../domain/worker-notice";
import { basisWords } from "./board/board-table";
import {
  comparedWith,
  errorColumns,
  JUDGE,
  JUDGES_IN_FILE,
  sizeColumn,
  Soft,
  verdictsOf,
} from "./beside-columns";
import { RunList } from "./run-list";
import { isAtWork, runsHeadline } from "./run-words";

const ASK_AGAIN_AFTER = 1_000;

export function RunsPage() {
  const project = useProject();
  useTitle("Automatic judges", project.name);
  const query = useQuery({
    ...read("/api/projects/{slug}/runs", { slug: project.slug }),
    refetchInterval: ({ state }) => (state.data?.some(isAtWork) ? ASK_AGAIN_AFTER : false),
  });
  const start = (
    <ProjectButtonLink page="runs/new" variant="primary">
      Start a judge
    </ProjectButtonLink>
  );
  return (
    <Page>
      <PageHeader
        title={<Term name="automatic-judge">Automatic judges</Term>}
        lead={query.data && query.data.length > 0 && runsHeadline(query.data)}
        actions={query.data && query.data.length > 0 && start}
      />
      <WorkerNotice waiting={query.data?.some(isAtWork) ?? false} />
      <QueryView query={query} loading={<Skeleton lines={4} height={4} />}>
        {(runs) =>
          runs.length === 0 ? (
            <AwaitingState
              then="Judges that need no setup then run automatically."
              title="Automatic judges appear here"
              action={start}
            >
              <p>
                Each judge compares answers with the gold answers in a different way. Scores appear on the
                leaderboard. After people have judged answers, this page shows how often each judge agrees
                with them.
              </p>
            </AwaitingState>
          ) : (
            <>
              <Section title="Agreement with people">
                <JudgeBoard slug={project.slug} />
              </Section>
              <Section title={<Term name="run">Runs</Term>}>
                <p className="soft">
                  Exact match, token F1, containment, and the learned judge run automatically after every
                  import. {LEARNED_CAUTION}
                </p>
                <RunList slug={project.slug} runs={runs} />
              </Section>
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

const COLUMNS: readonly Column<JudgeBoardRow>[] = [
  JUDGE,
  sizeColumn<JudgeBoardRow>("n", verdictsOf),
  figureColumn<JudgeBoardRow>("accuracy_scored"),
  ...errorColumns<JudgeBoardRow>(),
];

/** Every judge is compared on the same answers. */
function basisOf(rows: readonly JudgeBoardRow[]): string {
  const judge = rows.find(({ kind }) => kind === "judge");
  return judge ? basisWords(judge) : "";
}

/** The judges in short, beside people: agreement and the two error rates; the board has the rest. */
function JudgeBoard({ slug }: { readonly slug: string }) {
  const { query, computing } = useIntervals((intervals) =>
    read("/api/projects/{slug}/judge-board", { slug }, { common: false, intervals }),
  );
  return (
    <QueryView query={query}>
      {(rows) =>
        rows.length === 0 ? (
          <p>
            No comparison yet: people have not decided any answers that a judge has judged.{" "}
            <VotesStep as={ProjectLink} />
          </p>
        ) : (
          <>
            <Table
              caption="Judges compared with people"
              columns={COLUMNS}
              rows={rows}
              rowKey={(row) => row.key}
              groupOf={comparedWith}
              initialSort={{ key: "accuracy_scored", descending: true }}
              file={{ name: "agreement-with-people", columns: JUDGES_IN_FILE, judges: rows }}
            />
            <Computing query={computing} />
            <Soft>
              For judges, n is the number of distinct answers that people have decided and the judge has
              judged. For annotators, n is the number of votes.{basisOf(rows)} Thin bars show 95%{" "}
              <Term name="interval">intervals</Term>, computed over questions.
            </Soft>
            <p>
              <ProjectLink page="runs/board">View coefficients, thresholds, and pairs of judges</ProjectLink>
            </p>
          </>
        )
      }
    </QueryView>
  );
}
