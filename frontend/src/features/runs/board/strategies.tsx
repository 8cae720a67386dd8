/** Prompts of the LLM judge side by side: by model, over all answers and system by system. */
import { useQuery } from "@tanstack/react-query";
import type { JudgeStrategy } from "../../../api/contract";
import { judgeStrategiesQuery } from "../../../api/leaderboard/judge-strategies";
import { CsvButton } from "../../../components/csv-button";
import { ProjectLink } from "../../../components/project-link";
import { QueryView } from "../../../components/query-view";
import { type Column, Table } from "../../../components/table";
import { formatCount, formatPoints } from "../../../lib/numbers";
import { DIFFERENCE, Figure, Soft } from "../beside-columns";
import styles from "./board.module.css";

type System = JudgeStrategy["systems"][number];

export function StrategiesSection({ slug }: { readonly slug: string }) {
  const query = useQuery(judgeStrategiesQuery(slug));
  return (
    <QueryView query={query}>
      {(rows) =>
        rows.length === 0 ? (
          <Soft>Compared here once the LLM judge has judged answers that people decided.</Soft>
        ) : (
          <Strategies rows={rows} />
        )
      }
    </QueryView>
  );
}

function Strategies({ rows }: { readonly rows: readonly JudgeStrategy[] }) {
  const systems = rows[0]?.systems ?? [];
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
            sortBy: ({ prompt }) => prompt,
          },
          { key: "model", header: "Model", cell: ({ model }) => model, sortBy: ({ model }) => model },
          ...systems.map(({ system, label }) => systemColumn(system, label)),
          {
            key: "difference",
            header: "Beside the model’s first (points)",
            align: "end",
            cell: (row) => (
              <Figure
                value={row.difference}
                bounds={row.interval}
                words={row.words["difference"]}
                look={DIFFERENCE}
              />
            ),
            sortBy: ({ difference }) => difference,
          },
        ]}
      />
      <div className={styles["below"]}>
        <Soft>
          Accuracy in percent, below it F1 and the number of answers; an answer that could not be judged
          counts against the accuracy. The last column is over the answers both runs judged, with its 95 %
          interval over questions.
        </Soft>
        <CsvButton name="prompts-side-by-side" rows={rows.flatMap(csvOf)} />
      </div>
    </>
  );
}

function systemColumn(system: string, label: string): Column<JudgeStrategy> {
  const own = (row: JudgeStrategy): System | undefined => row.systems.find((each) => each.system === system);
  return {
    key: `system ${system}`,
    header: label === "" ? "All answers" : label,
    align: "end",
    cell: (row) => <Scores system={own(row)} />,
    sortBy: (row) => own(row)?.accuracy ?? null,
  };
}

/** Accuracy above F1: side by side they would wrap. */
function Scores({ system }: { readonly system: System | undefined }) {
  return (
    <span className={styles["strategy"]}>
      {formatPoints(system?.accuracy)}
      <small>F1 {formatPoints(system?.f1)}</small>
      {system && <small>n {formatCount(rowsOf(system))}</small>}
    </span>
  );
}

function rowsOf({ tp, fn, fp, tn, unscored }: System): number {
  return tp + fn + fp + tn + unscored;
}

function csvOf({ prompt, model, systems }: JudgeStrategy) {
  return systems.map(({ label, tp, fn, fp, tn, unscored, accuracy, f1 }) => ({
    prompt,
    model,
    system: label === "" ? "all" : label,
    tp,
    fn,
    fp,
    tn,
    unscored,
    accuracy,
    f1,
  }));
}
