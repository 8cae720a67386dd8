/** Two systems question by question: which only one of them has right, and what each answered. */
import { useQuery } from "@tanstack/react-query";
import { get, kept, type Query, read, readPages } from "../../api/client";
import type { AnsweredQuestion, OfTwoPage, SystemsBoard } from "../../api/schema";
import { useProject } from "../../api/project";
import { Choice } from "../../components/form";
import { Section } from "../../components/page";
import { Pagination } from "../../components/pagination";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { SegmentedControl } from "../../components/segmented-control";
import { type Column, Table } from "../../components/table";
import { answerWords } from "../../domain/answer";
import { LabelMark } from "../../domain/labels";
import type { QuestionFilter } from "../../domain/question-filter";
import { countOf, formatCount } from "../../lib/numbers";
import type { SearchState } from "../../lib/search-state";
import { QUESTION_COLUMNS } from "./right-by";
import styles from "./leaderboard-page.module.css";

const OF_TWO = "/api/projects/{slug}/systems-board/two";
/** The questions that so many systems have right are another list of the page. */
const CURSOR = "two_cursor";

interface TwoSectionProps {
  readonly board: SystemsBoard;
  readonly filter: QuestionFilter;
  readonly search: SearchState;
}

export function TwoSection({ board, filter, search }: TwoSectionProps) {
  const { sees_systems: seesSystems } = useProject();
  const [one, other] = board.systems;
  if (!seesSystems || one === undefined || other === undefined) return null;
  const find = (key: string | undefined) => board.systems.find((system) => system.key === key);
  const first = find(search.read("first")) ?? one;
  const second = find(search.read("second")) ?? (first === other ? one : other);
  const options = board.systems.map(({ key, name }) => ({ value: key, name }));
  const except = (key: string) => options.filter(({ value }) => value !== key);
  const turn = (changes: Readonly<Record<string, string>>) =>
    search.write({ ...changes, [CURSOR]: undefined });
  return (
    <Section title="Two systems, question by question">
      <div className={styles["controls"]}>
        <Choice
          label="First system"
          value={first.key}
          options={except(second.key)}
          onChange={(key) => turn({ first: key })}
        />
        <Choice
          label="Second system"
          value={second.key}
          options={except(first.key)}
          onChange={(key) => turn({ second: key })}
        />
      </div>
      <OfTwo first={first} second={second} filter={filter} search={search} />
    </Section>
  );
}

type System = SystemsBoard["systems"][number];

interface OfTwoProps extends Omit<TwoSectionProps, "board"> {
  readonly first: System;
  readonly second: System;
}

function OfTwo({ first, second, filter, search }: OfTwoProps) {
  const { slug } = useProject();
  const right = rightOf(search.read("right"));
  const asked = { ...filter, first: first.key, second: second.key, right };
  const query = useQuery(kept(read(OF_TWO, { slug }, { ...asked, cursor: search.read(CURSOR) })));
  const readAll = () =>
    readPages(
      (turn) => get(OF_TWO, { slug }, { ...asked, ...turn }),
      ({ questions }) => questions,
    );
  const names = { first: first.name, second: second.name };
  return (
    <QueryView query={query}>
      {(found) => (
        <>
          <SegmentedControl
            label="Systems that answered correctly"
            value={right}
            options={optionsOf(found, names)}
            onChange={(value) => search.write({ right: value, [CURSOR]: undefined })}
          />
          {found.count === 0 ? (
            <p className="soft">No matching questions.</p>
          ) : (
            <Table
              folds
              keepsOrder
              caption={`${first.name} and ${second.name}: ${countOf(found.count, "question")}`}
              rows={found.questions}
              rowKey={({ id }) => id}
              columns={columnsOf(names)}
              file={{ name: `questions-of-two-${first.key}-${second.key}-${right}`, readAll }}
            />
          )}
          <Pagination
            label="Pages of questions for two systems"
            of={found}
            shown={found.questions.length}
            at={CURSOR}
          />
        </>
      )}
    </QueryView>
  );
}

interface Names {
  readonly first: string;
  readonly second: string;
}

type Right = NonNullable<Query<typeof OF_TWO>["right"]>;
const KINDS = ["first", "second", "both", "neither"] as const satisfies readonly Right[];

function rightOf(text: string | undefined): Right {
  return KINDS.find((kind) => kind === text) ?? "first";
}

function optionsOf(found: OfTwoPage, { first, second }: Names) {
  return [
    { value: "first", name: `Only ${first} correct (${formatCount(found.only_first)})` },
    { value: "second", name: `Only ${second} correct (${formatCount(found.only_second)})` },
    { value: "both", name: `Both correct (${formatCount(found.both)})` },
    { value: "neither", name: `Neither correct (${formatCount(found.neither)})` },
  ] as const;
}

function columnsOf({ first, second }: Names): readonly Column<AnsweredQuestion>[] {
  return [...QUESTION_COLUMNS, answerColumn("first", first), answerColumn("second", second)];
}

function answerColumn(key: "first" | "second", name: string): Column<AnsweredQuestion> {
  return {
    key,
    header: name,
    cell: ({ [key]: { id, text, label } }) => (
      <span className={styles["given"]}>
        <ProjectLink page={`answers/${id}`}>
          <span dir="auto">{answerWords(text)}</span>
        </ProjectLink>
        {label !== null && <LabelMark label={label} compact />}
      </span>
    ),
    csv: ({ [key]: { id, text, label } }) => ({
      [`${key}_answer_id`]: id,
      [`${key}_answer`]: text,
      [`${key}_label`]: label,
    }),
  };
}
