/** One rater: every figure with what it is made of, down to the answers on which they differ. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { read } from "../../api/client";
import type { RaterDetail } from "../../api/schema";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { labelName } from "../../domain/labels";
import { PauseRater } from "../../domain/pause-rater";
import { countOf } from "../../lib/numbers";
import { AnswerTable } from "./answer-table";
import { ConfusionTable } from "./confusion-table";
import { Periods } from "./periods";
import { RaterFigures } from "./rater-figures";
import styles from "./raters.module.css";
import { signsOf, stateWords, workWords } from "./words";

export function RaterPage() {
  const project = useProject();
  const id = useParams({ strict: false }).rater ?? "";
  const query = useQuery(read("/api/projects/{slug}/raters/{rater}", { slug: project.slug, rater: id }));
  useTitle(query.data?.name ?? "Annotator", project.name);
  const nameOf = (label: string) => project.labels.find(({ key }) => key === label)?.name ?? labelName(label);
  return (
    <Page>
      {/* The heading stands before its name is known: screen readers and the layout wait for nothing. */}
      <QueryView query={query} head={<PageHeader title="Annotator" actions={<AllRaters />} />}>
        {(rater) => <Found slug={project.slug} rater={rater} nameOf={nameOf} />}
      </QueryView>
    </Page>
  );
}

function AllRaters() {
  return (
    <ProjectButtonLink page="agreement/raters" size="small">
      All annotators
    </ProjectButtonLink>
  );
}

interface FoundProps {
  readonly slug: string;
  readonly rater: RaterDetail;
  readonly nameOf: (label: string) => string;
}

function Found({ slug, rater, nameOf }: FoundProps) {
  return (
    <>
      <PageHeader
        title={rater.name}
        lead={<Work rater={rater} />}
        actions={
          <>
            <PauseRater slug={slug} id={rater.id} name={rater.name} state={rater.state} />
            <AllRaters />
          </>
        }
      />
      <Section title="Agreement and accuracy">
        <RaterFigures rater={rater} />
      </Section>
      <Section title="Warnings">
        <Warnings rater={rater} nameOf={nameOf} />
      </Section>
      <Section title="Over time">
        <Periods rater={rater} />
      </Section>
      <Section title="Confusion matrix">
        <ConfusionTable rater={rater} nameOf={nameOf} />
      </Section>
      {rater.known_misses.length > 0 && (
        <Section title="Missed known answers">
          <AnswerTable
            caption="Missed known answers"
            name="known-answers-missed"
            rater={rater}
            rows={rater.known_misses.map((miss) => ({ ...miss, other: miss.known }))}
            other={{ key: "known", header: "Known label" }}
            nameOf={nameOf}
          />
        </Section>
      )}
      <Section title="Disagreements with others">
        <Differences rater={rater} nameOf={nameOf} />
      </Section>
    </>
  );
}

function Differences({ rater, nameOf }: Omit<FoundProps, "slug">) {
  const { differences, difference_count: count } = rater;
  if (count === 0) return <p>No disagreements yet.</p>;
  return (
    <>
      {count > differences.length && (
        <p className="soft-regular">
          Showing the latest {differences.length} of {countOf(count, "answer")}.
        </p>
      )}
      <AnswerTable
        caption="Answers on which this annotator disagrees with others"
        name="differs"
        rater={rater}
        rows={differences.map((difference) => ({ ...difference, other: difference.without }))}
        other={{ key: "came_to", header: "Label from other annotators" }}
        nameOf={nameOf}
      />
    </>
  );
}

function Work({ rater }: { readonly rater: RaterDetail }) {
  const state = stateWords(rater.state);
  return (
    <>
      {rater.pseudonym} · {workWords(rater)}
      {rater.last_at !== null && (
        <>
          {" "}
          · last judged <RelativeTime at={rater.last_at} />
        </>
      )}
      {state && ` · ${state}`}
    </>
  );
}

function Warnings({ rater, nameOf }: Omit<FoundProps, "slug">) {
  return (
    <>
      <dl className={styles["signList"]}>
        {signsOf(rater, nameOf).map((sign) => (
          <div key={sign.key} className={styles["sign"]}>
            <dt>
              {sign.name} {!sign.isUsual && <Badge tone="warning">Unusual</Badge>}
            </dt>
            <dd>{sign.words}</dd>
          </div>
        ))}
      </dl>
      <p className="soft-regular">
        Warnings mark unusual numbers, not mistakes. Easy questions take less time, and correct answers can
        come in long runs. Review the answers before you talk to the annotator.
      </p>
    </>
  );
}
