/** Where in the study a run agrees with people: by system, answer length, question type, data set or tag. */
import { useQuery } from "@tanstack/react-query";
import type { JudgedPart, PartBy } from "../../api/contract";
import { judgedPartsQuery } from "../../api/leaderboard/judged-parts";
import { Select } from "../../components/field";
import { Section } from "../../components/page";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { Table } from "../../components/table";
import { formatCoefficient, formatCount, formatPoints } from "../../lib/numbers";
import { useSearchState } from "../../lib/search-state";
import styles from "./run-list.module.css";
import { wronged } from "./wronged";

const CUTS: readonly { readonly value: PartBy; readonly name: string }[] = [
  { value: "system", name: "System" },
  { value: "answer_length", name: "Length of the answer" },
  { value: "question_type", name: "Type of question" },
  { value: "dataset", name: "Data set" },
  { value: "tag", name: "Tag of the question" },
];

interface JudgedPartsProps {
  readonly slug: string;
  readonly run: string;
}

export function JudgedParts({ slug, run }: JudgedPartsProps) {
  const search = useSearchState();
  const cut = CUTS.find(({ value }) => value === search.read("by")) ?? CUTS[0];
  const by = cut?.value ?? "system";
  const query = useQuery(judgedPartsQuery(slug, run, by));
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
        {(parts) =>
          parts.length === 0 ? (
            <p className={styles["soft"]}>{nothingWords(by)}</p>
          ) : (
            <PartTable parts={parts} name={cut?.name ?? ""} />
          )
        }
      </QueryView>
      <p>
        <ProjectLink page="answers" search={{ errors_of: run }}>
          See the answers on which it errs
        </ProjectLink>
      </p>
    </Section>
  );
}

function nothingWords(by: PartBy): string {
  if (by === "dataset")
    return "No question names its data set, or people have decided none of these answers.";
  if (by === "tag") return "No question has a tag, or people have decided none of these answers.";
  return "People have decided none of these answers yet.";
}

const rowsOf = ({ tp, fn, fp, tn, unscored }: JudgedPart) => tp + fn + fp + tn + unscored;

function PartTable({ parts, name }: { readonly parts: readonly JudgedPart[]; readonly name: string }) {
  const rejects = ({ fn, tp }: JudgedPart) => wronged(fn, tp);
  const accepts = ({ fp, tn }: JudgedPart) => wronged(fp, tn);
  return (
    <Table
      caption="The judge beside people, part by part"
      rows={parts}
      rowKey={(part) => part.name}
      columns={[
        { key: "name", header: name, isRowHeader: true, cell: (part) => part.name },
        {
          key: "n",
          header: "Answers",
          align: "end",
          cell: (part) => formatCount(rowsOf(part)),
          sortBy: rowsOf,
        },
        {
          key: "accuracy",
          header: "Agrees with people (%)",
          align: "end",
          cell: (part) => formatPoints(part.accuracy_all),
          sortBy: (part) => part.accuracy_all,
        },
        {
          key: "interval",
          header: "95 % interval",
          align: "end",
          cell: (part) => <span title={part.words["interval"]}>{intervalText(part)}</span>,
        },
        {
          key: "rejects",
          header: "Rejects of 100 right",
          align: "end",
          cell: (part) => formatPoints(rejects(part), 0),
          sortBy: rejects,
        },
        {
          key: "accepts",
          header: "Accepts of 100 wrong",
          align: "end",
          cell: (part) => formatPoints(accepts(part), 0),
          sortBy: accepts,
        },
        {
          key: "f1",
          header: "Macro-F1",
          align: "end",
          cell: (part) => formatPoints(part.macro_f1),
          sortBy: (part) => part.macro_f1,
        },
        {
          key: "kappa",
          header: "Cohen’s κ",
          align: "end",
          cell: (part) => (
            <span title={part.words["cohen_kappa"]}>{formatCoefficient(part.cohen_kappa)}</span>
          ),
          sortBy: (part) => part.cohen_kappa,
        },
      ]}
    />
  );
}

function intervalText({ interval }: JudgedPart): string {
  return interval ? interval.map((end) => formatPoints(end)).join("–") : "–";
}
