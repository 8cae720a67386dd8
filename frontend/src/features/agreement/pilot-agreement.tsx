/** How far the raters agree in the pilots, and the answers on which they differ. */
import type { PilotAgreement as Agreement } from "../../api/schema";
import { More } from "../../components/list";
import { Section } from "../../components/page";
import { ProjectLink } from "../../components/project-link";
import { RelativeTime } from "../../components/relative-time";
import { type Column, Table } from "../../components/table";
import { LabelMark } from "../../domain/labels";
import { countOf } from "../../lib/numbers";
import styles from "./agreement-page.module.css";
import { Coefficients } from "./coefficients";
import { PairMatrix } from "./pairs";
import { headline } from "./words";

export function PilotAgreement({ pilots }: { readonly pilots: readonly Agreement[] }) {
  return pilots.map((pilot) => (
    <Section key={pilot.id} title={pilot.outcome === "" ? "Current pilot" : "Past pilot"}>
      <p className="soft">
        {countOf(pilot.questions, "question")}, started <RelativeTime at={pilot.begun_at} />. Pilot judgments
        count only here. <ProjectLink page="work">View the pilot in the work plan</ProjectLink>
      </p>
      <Report pilot={pilot} />
    </Section>
  ));
}

function Report({ pilot }: { readonly pilot: Agreement }) {
  if (pilot.report.items === 0) return <p>No pilot answer has votes from two annotators yet.</p>;
  return (
    <>
      <p className={styles["sentence"]}>{headline(pilot.report)}</p>
      <Coefficients report={pilot.report} />
      <More summary="Pairs of annotators">
        <PairMatrix report={pilot.report} />
      </More>
      {pilot.differences.length > 0 && (
        <Table
          folds
          caption="Disagreements in the pilot"
          columns={COLUMNS}
          rows={pilot.differences}
          rowKey={(difference) => difference.id}
          file={{
            name: "pilot-differences",
            lines: pilot.differences.flatMap(csvRows),
            signature: pilot.report.signature,
          }}
        />
      )}
    </>
  );
}

/** A row a vote: no two answers need have the same raters. */
function csvRows({ question, text, votes }: Agreement["differences"][number]) {
  return votes.map(({ rater, label }) => ({ question, answer: text, rater, label }));
}

const COLUMNS: readonly Column<Agreement["differences"][number]>[] = [
  {
    key: "question",
    header: "Question",
    cell: ({ question }) => <span dir="auto">{question}</span>,
  },
  {
    key: "answer",
    header: "Answer",
    isRowHeader: true,
    cell: ({ text }) => <span dir="auto">{text}</span>,
  },
  {
    key: "votes",
    header: "Votes",
    cell: ({ votes }) => (
      <ul className={styles["said"]}>
        {votes.map(({ rater, label }) => (
          <li key={rater}>
            {rater}: <LabelMark label={label} />
          </li>
        ))}
      </ul>
    ),
  },
];
