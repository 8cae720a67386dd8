/** Chooses a judge, sets it up, and says what the run would take before it is started. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Judge } from "../../api/schema";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Choice } from "../../components/form";
import { Page, PageHeader, useTitle } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView, Skeleton } from "../../components/query-view";
import { useSearchState } from "../../lib/search-state";
import styles from "./new-run.module.css";
import { RunForm } from "./run-form";

export function NewRunPage() {
  const project = useProject();
  useTitle("Start a judge", project.name);
  const search = useSearchState();
  const query = useQuery(read("/api/judges"));
  const runs = useQuery(read("/api/projects/{slug}/runs", { slug: project.slug }));
  const started = new Set(runs.data?.map(({ judge }) => judge));
  return (
    <Page>
      <PageHeader
        title="Start a judge"
        lead="Each judge compares answers with the gold answers in a different way. If you start a judge again with the same options, it judges only new answers."
        actions={<ProjectButtonLink page="runs">Back to runs</ProjectButtonLink>}
      />
      <QueryView query={query}>
        {(judges) => {
          const asked = judges.find(({ key }) => key === search.read("judge"));
          if (!asked && runs.isPending) return <Skeleton lines={4} height={4} />;
          const judge = asked ?? firstNew(judges, started);
          if (!judge)
            return <p>No judges are installed. Ask the administrator of this server to install one.</p>;
          return (
            <div className={styles["panes"]}>
              <div className={styles["judgeChoice"]}>
                <Choice
                  label="Judge"
                  value={judge.key}
                  options={familiesOf(judges).flatMap(({ name, own }) =>
                    own.map((each) => ({ value: each.key, name: choiceWords(each, started), group: name })),
                  )}
                  onChange={(key) => search.write({ judge: key })}
                />
              </div>
              <JudgeList
                judges={judges}
                chosen={judge.key}
                started={started}
                onChoose={(key) => search.write({ judge: key })}
              />
              <RunForm key={judge.key} slug={project.slug} judge={judge} />
            </div>
          );
        }}
      </QueryView>
    </Page>
  );
}

/** The first judge that can start and has no run in this project: those that ran have little left to judge. */
function firstNew(judges: readonly Judge[], started: ReadonlySet<string>): Judge | undefined {
  return judges.find(({ key, available }) => available && !started.has(key)) ?? judges[0];
}

/** In the order of the page. */
const FAMILIES = {
  lexical: "Exact and lexical match",
  fuzzy: "Fuzzy match",
  learned: "Learned judges",
  neural: "Neural metrics",
  llm: "Language models",
  jury: "Combinations of judges",
  package: "Judges from other packages",
} as const satisfies Record<Judge["family"], string>;

/** The families that have judges, each with its own. */
function familiesOf(judges: readonly Judge[]) {
  return Object.entries(FAMILIES)
    .map(([key, name]) => ({ key, name, own: judges.filter(({ family }) => family === key) }))
    .filter(({ own }) => own.length > 0);
}

interface JudgeListProps {
  readonly judges: readonly Judge[];
  readonly chosen: string;
  readonly started: ReadonlySet<string>;
  readonly onChoose: (key: string) => void;
}

/** On phones the list would fill the window, and the form below it says what the chosen judge does. */
function choiceWords({ key, name, available }: Judge, started: ReadonlySet<string>): string {
  if (!available) return `${name} (not installed)`;
  return started.has(key) ? `${name} (started before)` : name;
}

/** The judges to choose from, family by family, each with what it does in a sentence. */
function JudgeList({ judges, ...list }: JudgeListProps) {
  return (
    <div className={styles["families"]}>
      {familiesOf(judges).map(({ key, name, own }) => (
        <section key={key} aria-labelledby={`family-${key}`}>
          <h2 id={`family-${key}`}>{name}</h2>
          <FamilyList {...list} judges={own} family={name} />
        </section>
      ))}
    </div>
  );
}

function FamilyList({ judges, family, chosen, started, onChoose }: JudgeListProps & { family: string }) {
  return (
    <ul className={styles["judges"]} aria-label={family}>
      {judges.map((judge) => (
        <li key={judge.key}>
          <button
            type="button"
            className={styles["judge"]}
            aria-current={judge.key === chosen || undefined}
            onClick={() => onChoose(judge.key)}
          >
            <span className={styles["name"]}>
              {judge.name}
              {!judge.available && <Badge tone="warning">Not installed</Badge>}
              {started.has(judge.key) && <Badge>Started before</Badge>}
            </span>
            <span className="soft">{judge.summary}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
