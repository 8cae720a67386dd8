/** Prompts of the LLM judge side by side: by model, over all answers and system by system. */
import { read } from "../../../api/client";
import type { BoardRow, JudgeStrategy } from "../../../api/schema";
import { CsvButton } from "../../../components/csv-button";
import {
  FigureCell,
  figureCells,
  figureIn,
  type Figures,
  LOOKS,
  plainFigure,
  whyWords,
} from "../../../components/figure";
import { ProjectLink } from "../../../components/project-link";
import { QueryView } from "../../../components/query-view";
import { type Column, Table } from "../../../components/table";
import type { ReferenceRow } from "../../../domain/references";
import { formatCount } from "../../../lib/numbers";
import { Computing, rowsOf, Soft, useIntervals } from "../beside-columns";
import styles from "./board.module.css";
import {
  type NamedSystem,
  publishedCsv,
  PublishedPrompts,
  systemsOf,
  usePublishedPrompts,
} from "./published-prompts";

export function StrategiesSection({ slug }: { readonly slug: string }) {
  const { query, bounded } = useIntervals((intervals) =>
    read("/api/projects/{slug}/judge-board/strategies", { slug }, { intervals }),
  );
  const published = usePublishedPrompts();
  return (
    <QueryView query={bounded.data ? bounded : query}>
      {(rows) =>
        rows.length === 0 && published.length === 0 ? (
          <Soft>Compared here once the LLM judge has judged answers that people decided.</Soft>
        ) : (
          <>
            <Strategies rows={rows} published={published} />
            {rows.length > 0 && <Computing query={bounded} />}
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
          ...systems.map(systemColumn),
          {
            key: "difference",
            header: "Beside the model’s first (points)",
            align: "end",
            cell: ({ difference }) => (
              <FigureCell {...difference} words={whyWords(difference)} look={LOOKS.difference} />
            ),
            value: ({ difference }) => difference.value,
          },
        ]}
        footer={published.length > 0 && <PublishedPrompts rows={published} systems={systems} />}
      />
      <div className={styles["below"]}>
        <Soft>
          Accuracy in percent, below it F1 and the number of answers; an answer that could not be judged
          counts against the accuracy. The last column is over the answers both runs judged. Thin bars are 95
          % intervals over questions.
        </Soft>
        <CsvButton
          name="prompts-side-by-side"
          rows={[
            ...rows.flatMap(csvOf),
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

function systemColumn({ key, name }: NamedSystem): Column<JudgeStrategy> {
  const own = ({ systems }: JudgeStrategy) => systems.find((system) => system.key === key);
  return {
    key: `system ${key}`,
    header: name === "" ? "All answers" : name,
    align: "end",
    cell: (row) => <Scores system={own(row)} />,
    value: (row) => figureIn(own(row)?.figures, "accuracy_all").value,
  };
}

/** Accuracy above F1: side by side they would wrap. */
function Scores({ system }: { readonly system: BoardRow | undefined }) {
  if (!system) return "–";
  const [accuracy, f1] = [figureIn(system.figures, "accuracy_all"), figureIn(system.figures, "f1")];
  return (
    <span className={styles["strategy"]}>
      <FigureCell {...accuracy} words={whyWords(accuracy)} look={LOOKS.share} />
      <small>
        <FigureCell {...f1} words={whyWords(f1)} look={LOOKS.share} text={(text) => `F1 ${text}`} />
      </small>
      <small>n {formatCount(rowsOf(system))}</small>
    </span>
  );
}

function csvOf({ prompt, model, systems, difference, signature }: JudgeStrategy) {
  return systems.map(({ key, name, counts, figures }) => ({
    prompt,
    model,
    system: name === "" ? "all" : name,
    ...counts,
    ...csvFigures({
      accuracy: figureIn(figures, "accuracy_all"),
      f1: figureIn(figures, "f1"),
      // Over all answers: beside the first run of its model.
      difference: key === "" ? difference : plainFigure(null),
    }),
    published: "",
    signature,
  }));
}

const csvFigures = (figures: Figures) => figureCells(figures, ["accuracy", "f1", "difference"]);

/** In the same columns as what was asked here; its n stands in no column of counts. */
function csvOfPublished(row: ReturnType<typeof publishedCsv>[number]) {
  const { prompt, model, system, accuracy = null, f1 = null, published } = row;
  const counts = { tp: null, fn: null, fp: null, tn: null, unscored: null };
  const figures = csvFigures({ accuracy: plainFigure(accuracy), f1: plainFigure(f1) });
  return { prompt, model, system, ...counts, ...figures, published, signature: "" };
}
