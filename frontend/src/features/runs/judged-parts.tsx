/** Where in the study a run agrees with people: by system, answer length, question type, data set or tag. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { JudgedPart, PartBy, Run } from "../../api/contract";
import { CsvButton } from "../../components/csv-button";
import { Select } from "../../components/form";
import { Section } from "../../components/page";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { Table } from "../../components/table";
import { spokenWords } from "../../domain/judged";
import { useSearchState } from "../../lib/search-state";
import {
  type Bounds,
  boundsIn,
  COEFFICIENT,
  Computing,
  csvFigures,
  DIFFERENCE,
  errorColumns,
  figureColumn,
  MULTIPLE,
  pick,
  SHARE,
  sizeColumn,
} from "./beside-columns";
import { CUTS } from "./cuts";
import styles from "./run-list.module.css";

interface JudgedPartsProps {
  readonly slug: string;
  readonly run: Run;
}

export function JudgedParts({ slug, run: { id: run, ...progress } }: JudgedPartsProps) {
  // What has no verdict yet would stand here as what the judge got wrong.
  const isDone = progress.state === "finished";
  const search = useSearchState();
  const cut = CUTS.find(({ value }) => value === search.read("by")) ?? CUTS[0];
  const by = cut.value;
  const parts = read("/api/projects/{slug}/judge-board/{run}/parts", { slug, run }, { by, common: false });
  const query = useQuery({
    ...parts,
    queryKey: [...parts.queryKey, `${progress.done} judged`],
    enabled: isDone,
  });
  const hasParts = query.data !== undefined && query.data.parts.length > 0;
  const bounds = read(
    "/api/projects/{slug}/judge-board/{run}/parts/intervals",
    { slug, run },
    { by, common: false },
  );
  const intervals = useQuery({
    ...bounds,
    queryKey: [...bounds.queryKey, `${progress.done} judged`],
    enabled: isDone && hasParts,
  });
  const boundsOf: BoundsOf = (part, figure) =>
    figure === "accuracy_all" && !hasVerdicts(part)
      ? "The judge gave no verdict here."
      : boundsIn(
          intervals.data?.find(({ name }) => name === part.name),
          figure,
        );
  if (!isDone)
    return (
      <Section title="Beside people">
        <p className={styles["soft"]}>The judge is compared with people once it is finished.</p>
      </Section>
    );
  return (
    <Section title="Beside people">
      <Select
        label="Part by part, by"
        value={by}
        onChange={(event) => search.write({ by: event.target.value })}
      >
        {CUTS.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </Select>
      <QueryView query={query}>
        {({ parts, signature, weighed, left_out: leftOut }) =>
          parts.length === 0 ? (
            <p className={styles["soft"]}>{nothingWords(by)}</p>
          ) : (
            <>
              <PartTable
                parts={parts.map(sayNothingOfNone)}
                name={cut.name}
                boundsOf={boundsOf}
                signature={signature}
              />
              <Computing query={intervals} />
              <Spoken words={spokenWords({ weighed, left_out: leftOut })} />
            </>
          )
        }
      </QueryView>
      <p>
        <ProjectLink page="answers" search={{ errors_of: run }}>
          See the answers on which it errs
        </ProjectLink>
        {" · "}
        <ProjectLink page="runs/board" search={{ judge: run }}>
          All judges beside people, and what thresholds would do
        </ProjectLink>
      </p>
    </Section>
  );
}

function Spoken({ words }: { readonly words: string }) {
  return words && <p className={styles["soft"]}>{words}</p>;
}

function nothingWords(by: PartBy): string {
  if (by === "dataset")
    return "No question names its data set, or people have decided none of these answers.";
  if (by === "tag") return "No question has a tag, or people have decided none of these answers.";
  return "People have decided none of these answers yet.";
}

type BoundsOf = (part: JudgedPart, figure: string) => Bounds;

interface PartTableProps {
  readonly parts: readonly JudgedPart[];
  readonly name: string;
  readonly boundsOf: BoundsOf;
  readonly signature: string;
}

function PartTable({ parts, name, boundsOf, signature }: PartTableProps) {
  return (
    <>
      <Table
        caption="The judge beside people, part by part"
        rows={parts}
        rowKey={(part) => part.name}
        columns={[
          { key: "name", header: name, isRowHeader: true, cell: (part) => part.name },
          sizeColumn<JudgedPart>("Answers"),
          figureColumn<JudgedPart>({
            key: "accuracy_all",
            header: "Agrees with people (%)",
            value: (part) => part.accuracy_all,
            bounds: (part) => boundsOf(part, "accuracy_all"),
            look: SHARE,
          }),
          ...errorColumns<JudgedPart>(boundsOf),
          ...FIGURES.map(([key, header, look]) =>
            figureColumn<JudgedPart>({
              key,
              header,
              value: (part) => part[key],
              bounds: (part) => boundsOf(part, key),
              look,
            }),
          ),
        ]}
      />
      <CsvButton
        name="judge-part-by-part"
        rows={parts.map((part) => csvOf(part, boundsOf))}
        signature={signature}
      />
    </>
  );
}

/** Where the judge gave no verdict at all it has not disagreed with anybody. */
function hasVerdicts({ tp, fn, fp, tn }: JudgedPart): boolean {
  return tp + fn + fp + tn > 0;
}

function sayNothingOfNone(part: JudgedPart): JudgedPart {
  return hasVerdicts(part) ? part : { ...part, accuracy_all: null };
}

const FIGURES = [
  ["precision", "Precision", SHARE],
  ["recall", "Recall", SHARE],
  ["f1", "F1", SHARE],
  ["macro_f1", "Macro-F1", SHARE],
  ["cohen_kappa", "Cohen’s κ", COEFFICIENT],
  ["gwet_ac1", "Gwet’s AC1", COEFFICIENT],
  ["bias", "Bias (points)", DIFFERENCE],
  ["error_multiple", "Error, × another human’s", MULTIPLE],
] as const;

function csvOf(part: JudgedPart, boundsOf: BoundsOf) {
  const { name, tp, fn, fp, tn, unscored } = part;
  const keys = ["accuracy_all", ...FIGURES.map(([key]) => key)] as const;
  const figures = csvFigures(pick(part, keys), (figure) => boundsOf(part, figure));
  return { name, tp, fn, fp, tn, unscored, ...figures };
}
