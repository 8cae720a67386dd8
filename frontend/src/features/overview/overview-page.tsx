/** What to do next, what was found, what is known by now, and who is at work; for viewers what was found and is known. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Overview, Setup } from "../../api/schema";
import { useProject } from "../../api/project";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { ProjectLink } from "../../components/project-link";
import { QueryView, Skeleton } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { type Column, Table } from "../../components/table";
import { explained } from "../../components/term";
import { RunningNotice } from "../../domain/settled-notice";
import { WorkerNotice } from "../../domain/worker-notice";
import { Guide } from "./guide";
import { KnownSection } from "./known-section";
import { NextSection } from "./next-section";
import styles from "./overview.module.css";
import { ResultsSection } from "./results-section";
import { isAllDecided, standingWords } from "./standing";

const ASK_AGAIN_AFTER = 15_000;

export function OverviewPage() {
  const project = useProject();
  useTitle("Overview", project.name);
  const query = useQuery({
    ...read("/api/projects/{slug}/overview", { slug: project.slug }),
    refetchInterval: ASK_AGAIN_AFTER,
  });
  const setup = useQuery({
    ...read("/api/projects/{slug}/setup", { slug: project.slug }),
    refetchInterval: ({ state }) => (state.data?.is_ready === false ? ASK_AGAIN_AFTER : false),
    enabled: project.role !== "viewer",
  });
  return (
    <Page>
      <PageHeader title="Overview" lead={query.data ? standingWords(query.data) : project.description} />
      {setup.data?.is_ready === false && <Guide setup={setup.data} />}
      <QueryView query={query} loading={<OverviewLoading />}>
        {(overview) =>
          // What there is none of is said by the guide.
          overview.questions + overview.left_out > 0 &&
          (project.role === "viewer" ? (
            <Found overview={overview} />
          ) : (
            <Standing overview={overview} setup={setup.data} />
          ))
        }
      </QueryView>
    </Page>
  );
}

/** Needs of people, which are a step of the guide. */
const GUIDED: ReadonlySet<string> = new Set(["nobody", "invited", "shortage"]);

interface StandingProps {
  readonly overview: Overview;
  readonly setup: Setup | undefined;
}

function Standing({ overview, setup }: StandingProps) {
  // Whether people can judge; until then the guide says what comes next.
  const isReady = setup?.is_ready !== false;
  const isDone = isAllDecided(overview);
  // Until people can judge, the guide asks for them.
  const needs = isReady ? overview.needs : overview.needs.filter(({ key }) => !GUIDED.has(key));
  return (
    <>
      <WorkerNotice waiting={!overview.worker_running} />
      <RunningNotice />
      <div className={styles["beside"]}>
        {isReady && (
          <NextSection needs={needs} isDone={isDone} lacksSystems={setup?.coverage.systems === 0} />
        )}
        {!isReady && needs.length > 0 && <NextSection title="Also waiting" needs={needs} isDone={false} />}
        <KnownSection overview={overview} />
      </div>
      {isReady && <ResultsSection isDone={isDone} />}
      <Section title="Annotators">
        <RaterTable overview={overview} isReady={isReady} />
      </Section>
    </>
  );
}

/** What a viewer reads of it: who works, and what there is to do, is for leads. */
function Found({ overview }: Pick<StandingProps, "overview">) {
  return (
    <>
      <ResultsSection isDone={isAllDecided(overview)} />
      <KnownSection overview={overview} />
    </>
  );
}

function OverviewLoading() {
  return (
    <>
      <Skeleton lines={3} height={2} />
      <Skeleton lines={2} height={4} />
      <Skeleton lines={5} />
    </>
  );
}

type Rater = Overview["raters"][number];

const COLUMNS: readonly Column<Rater>[] = [
  { key: "rater", header: "Annotator", explains: explained("annotator"), value: ({ name }) => name },
  {
    key: "name_in_exports",
    header: "Pseudonym",
    explains: explained("pseudonym"),
    value: ({ pseudonym }) => pseudonym,
  },
  { key: "judged", header: "Answers judged", align: "end", value: ({ judged }) => judged },
  { key: "per_hour", header: "Answers per hour", align: "end", value: ({ per_hour }) => per_hour },
  {
    key: "last_seen",
    header: "Last judged",
    align: "end",
    cell: ({ last_seen: at }) => (at === null ? "not yet" : <RelativeTime at={at} />),
    value: ({ last_seen }) => last_seen,
  },
];

interface RaterTableProps {
  readonly overview: Overview;
  readonly isReady: boolean;
}

function RaterTable({ overview, isReady }: RaterTableProps) {
  if (overview.raters.length === 0) {
    return (
      <p>
        Nobody is judging yet. {isReady && <ProjectLink page="people">Invite annotators by link</ProjectLink>}
      </p>
    );
  }
  return (
    <Table
      folds
      caption="Annotators, how much they have judged, and how fast"
      columns={COLUMNS}
      rows={overview.raters}
      rowKey={(rater) => rater.pseudonym}
      initialSort={{ key: "judged", descending: true }}
      file={{ name: "annotators" }}
    />
  );
}
