/** One row a rater. */
import type { Rater, RaterFigure } from "../../api/schema";
import { Badge } from "../../components/badge";
import { explainedFigure, type Look } from "../../components/figure";
import { ProjectLink } from "../../components/project-link";
import { type Column, numberColumn, Table } from "../../components/table";
import { explained } from "../../components/term";
import type { Explanation } from "../../components/tip";
import { Figure, KAPPA } from "./figure";
import styles from "./raters.module.css";
import { secondsWords, SIGN_NAMES, stateWords } from "./words";

const COLUMNS: readonly Column<Rater>[] = [
  {
    key: "name",
    header: "Annotator",
    cell: (rater) => <Name rater={rater} />,
    value: (rater) => rater.name,
    // As in exports, raters go by the names made for them.
    csv: ({ pseudonym }) => ({ rater: pseudonym }),
  },
  numberColumn("answers", "Answers", (rater) => rater.judged),
  numberColumn("median_seconds", "Time per answer", (rater) => rater.pace.median_seconds, {
    explains: { about: "Median active time. Idle time is excluded." },
    format: secondsWords,
  }),
  figureColumn("agrees", "Agreement", (rater) => rater.without_own),
  figureColumn("kappa", "κ with others", (rater) => rater.kappa, {
    look: KAPPA,
    explains: explainedFigure("cohen_kappa"),
  }),
  figureColumn("right_estimated", "Estimated accuracy", (rater) => rater.dawid_skene),
];

/** Only studies that show answers twice, or hide known ones, have these. */
const SAME_AGAIN = figureColumn("same_again", "Self-agreement", (rater) => rater.self_agreement, {
  explains: explained("repeat"),
});
const KNOWN = figureColumn("known_answers", "Known answers", (rater) => rater.known_answers, {
  explains: explained("known-answer"),
});

const SIGNS = numberColumn<Rater>("signs", "Warnings", (rater) => rater.signs.length, {
  align: "start",
  cell: (rater) => <Warnings rater={rater} />,
  csv: (rater) => ({ signs: rater.signs.join(" | ") }),
});

function figureColumn(
  key: string,
  header: string,
  figureOf: (rater: Rater) => RaterFigure,
  { look, explains }: { readonly look?: Look; readonly explains?: Explanation } = {},
) {
  return numberColumn<Rater>(key, header, (rater) => figureOf(rater).value, {
    cell: (rater) => <Figure figure={figureOf(rater)} {...(look && { look })} />,
    explains,
  });
}

interface RaterTableProps {
  readonly raters: readonly Rater[];
  readonly signature: string;
}

export function RaterTable({ raters, signature }: RaterTableProps) {
  const has = (name: "self_agreement" | "known_answers") => raters.some((rater) => rater[name].tally?.total);
  return (
    <Table
      folds
      caption="Annotator quality"
      columns={[
        ...COLUMNS,
        ...(has("self_agreement") ? [SAME_AGAIN] : []),
        ...(has("known_answers") ? [KNOWN] : []),
        SIGNS,
      ]}
      rows={raters}
      rowKey={(rater) => rater.id}
      initialSort={{ key: "answers", descending: true }}
      file={{ name: "raters", columns: [...COLUMNS, SAME_AGAIN, KNOWN, SIGNS], signature }}
    />
  );
}

function Name({ rater }: { readonly rater: Rater }) {
  return (
    <span className={styles["name"]}>
      <ProjectLink page={`agreement/raters/${rater.id}`}>
        <span dir="auto">{rater.name}</span>
      </ProjectLink>
      <span className="soft-regular">
        {[rater.pseudonym, stateWords(rater.state)].filter(Boolean).join(" · ")}
      </span>
    </span>
  );
}

function Warnings({ rater }: { readonly rater: Rater }) {
  if (rater.signs.length === 0) return <span className="soft-regular">none</span>;
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
