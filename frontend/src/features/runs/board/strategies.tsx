/** Prompts of the LLM judge side by side: by model, over all answers and system by system. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../../api/client";
import type { Strategy } from "../../../api/schema";
import { CsvButton } from "../../../components/csv-button";
import { ProjectLink } from "../../../components/project-link";
import { QueryView } from "../../../components/query-view";
import { type Column, Table } from "../../../components/table";
import type { ReferenceRow } from "../../../domain/references";
import { formatCount } from "../../../lib/numbers";
import {
  type Bounds,
  boundsIn,
  Computing,
  csvFigures,
  DIFFERENCE,
  Figure,
  SHARE,
  Soft,
} from "../beside-columns";
import styles from "./board.module.css";
import { publishedCsv, PublishedPrompts, systemsOf, usePublishedPrompts } from "./published-prompts";

type System = Strategy["systems"][number];

export function StrategiesSection({ slug }: { readonly slug: string }) {
  const query = useQuery(read("/api/projects/{slug}/judge-board/strategies", { slug }));
  const published = usePublishedPrompts();
  return (
    <QueryView query={query}>
      {(rows) =>
        rows.length === 0 && published.length === 0 ? (
          <Soft>Compared here once the LLM judge has judged answers that people decided.</Soft>
        ) : (
          <Strategies slug={slug} rows={rows} published={published} />
        )
      }
    </QueryView>
  );
}

/** What a figure of a run on a system's answers (none: all answers) lies between. */
type BoundsOf = (run: string, system: string, figure: string) => Bounds;

interface StrategiesProps {
  readonly slug: string;
  readonly rows: readonly Strategy[];
  readonly published: readonly ReferenceRow[];
}

function Strategies({ slug, rows, published }: StrategiesProps) {
  const systems = rows[0]?.systems ?? systemsOf(published);
  const intervals = useQuery({
    ...read("/api/projects/{slug}/judge-board/strategies/intervals", { slug }),
    enabled: rows.length > 0,
  });
  const boundsOf: BoundsOf = (run, system, figure) =>
    boundsIn(
      intervals.data?.find((row) => row.run === run)?.systems.find((own) => own.system === system),
      figure,
    );
  return (
    <>
      <Table
        caption="Accuracy and F1 of each prompt, in percent"
        rows={rows}
        rowKey={({ run }) => run}
        columns={[
          {
            key: "prompt",
            header: "Prompt",
            isRowHeader: true,
            cell: ({ run, prompt, name }) => <ProjectLink page={`runs/${run}`}>{prompt || name}</ProjectLink>,
            value: ({ prompt }) => prompt,
          },
          { key: "model", header: "Model", value: ({ model }) => model },
          ...systems.map(({ system, label }) => systemColumn(system, label, boundsOf)),
          {
            key: "difference",
            header: "Beside the model’s first (points)",
            align: "end",
            cell: (row) => (
              <Figure
                value={row.difference}
                bounds={row.interval ?? row.words["interval"]}
                words={row.words["difference"]}
                look={DIFFERENCE}
              />
            ),
            value: ({ difference }) => difference,
          },
        ]}
        footer={published.length > 0 && <PublishedPrompts rows={published} systems={systems} />}
      />
      <div className={styles["below"]}>
        {rows.length > 0 && <Computing query={intervals} />}
        <Soft>
          Accuracy in percent, below it F1 and the number of answers; an answer that could not be judged
          counts against the accuracy. The last column is over the answers both runs judged. Thin bars are 95
          % intervals over questions.
        </Soft>
        <CsvButton
          name="prompts-side-by-side"
          rows={[
            ...rows.flatMap((row) => csvOf(row, boundsOf)),
            ...published.flatMap((row) => publishedCsv(row, systems)).map(csvOfPublished),
          ]}
          judges={rows.map(({ prompt, name, model, signature }) => ({
            name: [prompt || name, model].filter(Boolean).join(", "),
            signature,
          }))}
        />
      </div>
    </>
  );
}

function systemColumn(system: string, label: string, boundsOf: BoundsOf): Column<Strategy> {
  const own = (row: Strategy): System | undefined => row.systems.find((each) => each.system === system);
  return {
    key: `system ${system}`,
    header: label === "" ? "All answers" : label,
    align: "end",
    cell: (row) => <Scores system={own(row)} boundsOf={(figure) => boundsOf(row.run, system, figure)} />,
    value: (row) => own(row)?.accuracy ?? null,
  };
}

/** Accuracy above F1: side by side they would wrap. */
function Scores({ system, boundsOf }: ScoresProps) {
  if (!system) return "–";
  const { accuracy, f1, words } = system;
  return (
    <span className={styles["strategy"]}>
      <Figure value={accuracy} bounds={boundsOf("accuracy_all")} words={words["accuracy"]} look={SHARE} />
      <small>
        <Figure
          value={f1}
          bounds={boundsOf("f1")}
          words={words["f1"]}
          look={SHARE}
          text={(text) => `F1 ${text}`}
        />
      </small>
      <small>n {formatCount(rowsOf(system))}</small>
    </span>
  );
}

interface ScoresProps {
  readonly system: System | undefined;
  readonly boundsOf: (figure: string) => Bounds;
}

function rowsOf({ tp, fn, fp, tn, unscored }: System): number {
  return tp + fn + fp + tn + unscored;
}

function csvOf(
  { run, prompt, model, systems, difference, interval, signature }: Strategy,
  boundsOf: BoundsOf,
) {
  return systems.map(({ system, label, tp, fn, fp, tn, unscored, accuracy, f1 }) => ({
    prompt,
    model,
    system: label === "" ? "all" : label,
    tp,
    fn,
    fp,
    tn,
    unscored,
    ...csvFigures({ accuracy, f1 }, (name) => boundsOf(run, system, FIGURES[name] ?? name)),
    // Over all answers: beside the first run of its model.
    ...csvFigures({ difference: label === "" ? difference : null }, () => (label === "" ? interval : null)),
    published: "",
    signature,
  }));
}

/** In the same columns as what was asked here; its n stands in no column of counts. */
function csvOfPublished({
  prompt,
  model,
  system,
  accuracy,
  f1,
  published,
}: ReturnType<typeof publishedCsv>[number]) {
  const counts = { tp: null, fn: null, fp: null, tn: null, unscored: null };
  const figures = csvFigures({ accuracy: accuracy ?? null, f1: f1 ?? null, difference: null }, () => null);
  return { prompt, model, system, ...counts, ...figures, published, signature: "" };
}

/** What the board calls the figures of this table. */
const FIGURES: Readonly<Record<string, string>> = { accuracy: "accuracy_all" };
