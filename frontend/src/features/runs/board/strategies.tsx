/** Prompts of the LLM judge side by side: by model, over all answers and system by system. */
import { read } from "../../../api/client";
import type { BoardRow, JudgeStrategy } from "../../../api/schema";
import { columnOfFigure, FigureCell, figureIn, type Figures, LOOKS } from "../../../components/figure";
import { ProjectLink } from "../../../components/project-link";
import { QueryView } from "../../../components/query-view";
import { type Column, Table } from "../../../components/table";
import { Computing, useIntervals } from "../../../domain/intervals";
import { PublishedRows, PublishedValue, usePublished } from "../../../domain/published";
import { type ReferenceRow, referenceRows } from "../../../domain/references";
import { formatCount, statistic } from "../../../lib/numbers";
import { csvLines, publishedLine, rowsOf, Soft } from "../beside-columns";
import styles from "./board.module.css";

export function StrategiesSection({ slug }: { readonly slug: string }) {
  const { query, computing } = useIntervals((intervals) =>
    read("/api/projects/{slug}/judge-board/strategies", { slug }, { intervals }),
  );
  const published = usePublishedPrompts();
  return (
    <QueryView query={query}>
      {(rows) =>
        rows.length === 0 && published.length === 0 ? (
          <Soft>The comparison appears when the LLM judge has judged answers that people have decided.</Soft>
        ) : (
          <>
            <Strategies rows={rows} published={published} />
            {rows.length > 0 && <Computing query={computing} />}
          </>
        )
      }
    </QueryView>
  );
}

interface StrategiesProps {
  readonly rows: readonly JudgeStrategy[];
  readonly published: readonly ReferenceRow[];
}

function Strategies({ rows, published }: StrategiesProps) {
  const systems = rows[0]?.systems ?? systemsOf(published);
  const columns: readonly Column<JudgeStrategy>[] = [
    {
      key: "prompt",
      header: "Prompt",
      cell: ({ run, prompt, name }) => <ProjectLink page={`runs/${run}`}>{prompt || name}</ProjectLink>,
      value: ({ prompt }) => prompt,
    },
    { key: "model", header: "Model", value: ({ model }) => model },
    ...systems.map(systemColumn),
    columnOfFigure("gain", ({ difference }) => difference, {
      header: "Difference from the model’s first run (points)",
    }),
  ];
  const cellOf = (row: ReferenceRow, key: string) =>
    key === "model"
      ? row.name
      : key.startsWith(OF) && <PublishedScores row={row} system={key.slice(OF.length)} />;
  return (
    <Table
      caption="Accuracy and F1 of each prompt (%)"
      rows={rows}
      rowKey={({ run }) => run}
      columns={columns}
      footer={
        <PublishedRows
          rows={published}
          columns={columns}
          cellOf={(row, key) => cellOf(row, key) || undefined}
          nameOf={({ prompt }) => ({ name: prompt, prompt: "" })}
        />
      }
      note="Each cell shows accuracy (%), F1 (%), and the number of answers, in that order. For accuracy, an answer without a verdict counts as an error. The last column covers the answers that both runs judged. Thin bars show 95% intervals, computed over questions."
      file={{
        name: "prompts-side-by-side",
        lines: csvLines(
          ["accuracy", "f1", "difference"],
          [
            ...rows.flatMap(linesOf),
            ...published.flatMap((row) => systems.flatMap((system) => lineOfPublished(row, system))),
          ],
        ),
        judges: rows.map(({ prompt, name, model, signature }) => ({
          name: [prompt || name, model].filter(Boolean).join(", "),
          signature,
        })),
      }}
    />
  );
}

/** Stands before a system in the keys of columns. */
const OF = "system ";

interface NamedSystem {
  /** Its name in the study; empty: all answers. */
  readonly key: string;
  readonly name: string;
}

function systemColumn({ key, name }: NamedSystem): Column<JudgeStrategy> {
  const own = ({ systems }: JudgeStrategy) => systems.find((system) => system.key === key);
  return {
    key: `${OF}${key}`,
    header: name === "" ? "All answers" : name,
    align: "end",
    cell: (row) => <Scores system={own(row)} />,
    value: (row) => figureIn(own(row)?.figures, "accuracy_all").value,
  };
}

/** Accuracy above F1: side by side they would wrap. */
function Scores({ system }: { readonly system: BoardRow | undefined }) {
  if (!system) return "–";
  return (
    <span className={styles["strategy"]}>
      <FigureCell figure={figureIn(system.figures, "accuracy_all")} look={LOOKS.share} />
      <small>
        <FigureCell
          figure={figureIn(system.figures, "f1")}
          look={LOOKS.share}
          text={(text) => `F1 ${text}`}
        />
      </small>
      <small>{statistic("n", formatCount(rowsOf(system)))}</small>
    </span>
  );
}

function linesOf({ prompt, model, systems, difference, signature }: JudgeStrategy) {
  return systems.map(({ key, name, counts, figures: { accuracy_all: accuracy, f1 } }) => {
    const figures: Figures = {
      ...(accuracy && { accuracy }),
      ...(f1 && { f1 }),
      // Over all answers: beside the first run of its model.
      ...(key === "" && { difference }),
    };
    return { names: namesOf(prompt, model, name), counts, figures, published: "", signature };
  });
}

const namesOf = (prompt: string, model: string, system: string) => ({
  prompt,
  model,
  system: system || "all",
});

/** No line where no number is known. */
function lineOfPublished({ prompt, name: model, scores }: ReferenceRow, { key, name }: NamedSystem) {
  const [accuracy, f1] = MEASURES.map((measure) => scores[cellOfSystem(measure, key)]);
  if (!accuracy && !f1) return [];
  return [publishedLine(namesOf(prompt, model, name), { ...(accuracy && { accuracy }), ...(f1 && { f1 }) })];
}

const MEASURES = ["accuracy_all", "f1"];

function cellOfSystem(measure: string, system: string): string {
  return `${measure} ${system}`;
}

/** Prompts known by published numbers alone. */
export function usePublishedPrompts(): readonly ReferenceRow[] {
  const prompts = usePublished("judge").filter(({ prompt }) => prompt !== "");
  return referenceRows(prompts, ({ measure, system }) =>
    MEASURES.includes(measure) ? cellOfSystem(measure, system) : null,
  );
}

/** The systems that these numbers are of, all answers first, where nothing was asked here. */
function systemsOf(rows: readonly ReferenceRow[]): readonly NamedSystem[] {
  const names = rows.flatMap(({ scores }) => Object.values(scores).map(({ system }) => system));
  return [...new Set(["", ...names])].map((name) => ({ key: name, name }));
}

function PublishedScores({ row, system }: { readonly row: ReferenceRow; readonly system: string }) {
  const [accuracy, f1] = MEASURES.map((measure) => row.scores[cellOfSystem(measure, system)]);
  return (
    <span className={styles["strategy"]}>
      <PublishedValue score={accuracy} />
      {f1 && (
        <small>
          F1 <PublishedValue score={f1} />
        </small>
      )}
    </span>
  );
}
