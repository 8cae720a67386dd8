/** Who judges, how much and how fast; the lead sees names here and nowhere beside votes. */
import type { Overview } from "../../api/contract";
import { CsvButton } from "../../components/csv-button";
import { ProjectLink } from "../../components/project-link";
import { RelativeTime } from "../../components/relative-time";
import { type Column, Table } from "../../components/table";
import { formatCount } from "../../lib/numbers";

type Rater = Overview["raters"][number];

const COLUMNS: readonly Column<Rater>[] = [
  {
    key: "name",
    header: "Rater",
    isRowHeader: true,
    cell: (rater) => rater.name,
    sortBy: (rater) => rater.name,
  },
  { key: "pseudonym", header: "Name in exports", cell: (rater) => rater.pseudonym },
  {
    key: "judged",
    header: "Answers judged",
    align: "end",
    cell: (rater) => formatCount(rater.judged),
    sortBy: (rater) => rater.judged,
  },
  {
    key: "pace",
    header: "Answers an hour",
    align: "end",
    cell: (rater) => formatCount(rater.per_hour),
    sortBy: (rater) => rater.per_hour,
  },
  {
    key: "seen",
    header: "Last judged",
    align: "end",
    cell: (rater) => (rater.last_seen === null ? "not yet" : <RelativeTime at={rater.last_seen} />),
    sortBy: (rater) => rater.last_seen,
  },
];

function csvOf({ name, pseudonym, judged, per_hour, last_seen }: Rater) {
  return { rater: name, name_in_exports: pseudonym, judged, per_hour, last_seen };
}

export function RaterTable({ overview }: { readonly overview: Overview }) {
  if (overview.raters.length === 0) {
    return (
      <p>
        Nobody judges yet. <ProjectLink page="people">Invite annotators by link</ProjectLink>; they need no
        account beforehand.
      </p>
    );
  }
  return (
    <>
      <Table
        folds
        caption="Raters, how much they have judged and how fast"
        columns={COLUMNS}
        rows={overview.raters}
        rowKey={(rater) => rater.pseudonym}
        initialSort={{ key: "judged", descending: true }}
      />
      <div>
        <CsvButton name="people-at-work" rows={overview.raters.map(csvOf)} />
      </div>
    </>
  );
}
