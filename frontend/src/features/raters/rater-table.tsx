/** One row a rater. */
import type { Rater, RaterFigure } from "../../api/schema";
import { Badge } from "../../components/badge";
import { ProjectLink } from "../../components/project-link";
import { type Column, numberColumn, Table } from "../../components/table";
import { Figure } from "./figure";
import styles from "./raters.module.css";
import { secondsWords, SIGN_NAMES, stateWords } from "./words";

const COLUMNS: readonly Column<Rater>[] = [
  {
    key: "name",
    header: "Rater",
    isRowHeader: true,
    cell: (rater) => <Name rater={rater} />,
    value: (rater) => rater.name,
  },
  numberColumn("judged", "Answers", (rater) => rater.judged),
  {
    key: "pace",
    header: "An answer takes",
    headerTitle: "Median of active time; idle and hidden time left out",
    align: "end",
    cell: (rater) => secondsWords(rater.pace.median_seconds),
    value: (rater) => rater.pace.median_seconds,
  },
  figureColumn("agrees", "Agrees", (rater) => rater.without_own),
  figureColumn("kappa", "κ with others", (rater) => rater.kappa, true),
  figureColumn("accuracy", "Right, estimated", (rater) => rater.dawid_skene),
];

/** Only studies that show answers twice, or hide known ones, have these. */
const OPTIONAL: readonly { readonly column: Column<Rater>; readonly figureOf: FigureOf }[] = [
  optional("self", "Same again", (rater) => rater.self_agreement),
  optional("known", "Known answers", (rater) => rater.known_answers),
];

const SIGNS: Column<Rater> = {
  key: "signs",
  header: "Signs",
  cell: (rater) => <Signs rater={rater} />,
  value: (rater) => rater.signs.length,
};

type FigureOf = (rater: Rater) => RaterFigure;

function figureColumn(key: string, header: string, figureOf: FigureOf, isKappa = false): Column<Rater> {
  return {
    key,
    header,
    align: "end",
    cell: (rater) => <Figure figure={figureOf(rater)} isKappa={isKappa} />,
    value: (rater) => figureOf(rater).value,
  };
}

function optional(key: string, header: string, figureOf: FigureOf) {
  return { column: figureColumn(key, header, figureOf), figureOf };
}

/** As in exports, raters go by the names made for them. */
function csvOf(rater: Rater) {
  return {
    rater: rater.pseudonym,
    answers: rater.judged,
    median_seconds: rater.pace.median_seconds,
    agrees: rater.without_own.value,
    kappa: rater.kappa.value,
    right_estimated: rater.dawid_skene.value,
    same_again: rater.self_agreement.value,
    known_answers: rater.known_answers.value,
    signs: rater.signs.join(" | "),
  };
}

interface RaterTableProps {
  readonly raters: readonly Rater[];
  readonly signature: string;
}

export function RaterTable({ raters, signature }: RaterTableProps) {
  const shown = OPTIONAL.filter(({ figureOf }) => raters.some((rater) => figureOf(rater).tally?.total));
  return (
    <Table
      folds
      caption="Raters and how well they work"
      columns={[...COLUMNS, ...shown.map(({ column }) => column), SIGNS]}
      rows={raters}
      rowKey={(rater) => rater.id}
      initialSort={{ key: "judged", descending: true }}
      file={{ name: "raters", lines: raters.map(csvOf), signature }}
    />
  );
}

function Name({ rater }: { readonly rater: Rater }) {
  return (
    <span className={styles["name"]}>
      <ProjectLink page={`agreement/raters/${rater.id}`}>
        <span dir="auto">{rater.name}</span>
      </ProjectLink>
      <span className={styles["soft"]}>
        {[rater.pseudonym, stateWords(rater.state)].filter(Boolean).join(" · ")}
      </span>
    </span>
  );
}

function Signs({ rater }: { readonly rater: Rater }) {
  if (rater.signs.length === 0) return <span className={styles["soft"]}>none</span>;
  return (
    <span className={styles["signs"]}>
      {rater.signs.map((sign) => (
        <Badge key={sign} tone="warning">
          {SIGN_NAMES[sign]}
        </Badge>
      ))}
    </span>
  );
}
