/** Where in the study a run agrees with people: by system, answer length, question type, data set or tag. */
import { read } from "../../api/client";
import type { BoardRow, Run } from "../../api/schema";
import { Choice } from "../../components/form";
import { figureColumn, figuresInFile, makeFigure } from "../../components/figure";
import { Section } from "../../components/page";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { SegmentedControl } from "../../components/segmented-control";
import { Table } from "../../components/table";
import { Computing, useIntervals } from "../../domain/intervals";
import { spokenWords } from "../../domain/judged";
import { useSearchState } from "../../lib/search-state";
import {
  COEFFICIENTS,
  COUNTS_IN_FILE,
  CUTS,
  errorColumns,
  type PartBy,
  sizeColumn,
  Soft,
  verdictsOf,
} from "./beside-columns";

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
  const view = VIEWS.find(({ value }) => value === search.read("show"))?.value ?? "errors";
  const { query, computing } = useIntervals((intervals) => {
    const { queryKey, queryFn } = read(
      "/api/projects/{slug}/judge-board/{run}/parts",
      { slug, run },
      { by, common: false, intervals },
    );
    return { queryKey: [...queryKey, `${progress.done} judged`], queryFn };
  }, isDone);
  if (!isDone)
    return (
      <Section title="Compared with people">
        <Soft>The comparison appears when the run has finished.</Soft>
      </Section>
    );
  return (
    <Section title="Compared with people">
      <Choice label="Breakdown by" value={by} options={CUTS} onChange={(by) => search.write({ by })} />
      <QueryView query={query}>
        {({ parts, signature, ...spoken }) =>
          parts.length === 0 ? (
            <Soft>{nothingWords(by)}</Soft>
          ) : (
            <>
              <div>
                <SegmentedControl
                  label="Show"
                  value={view}
                  options={VIEWS}
                  onChange={(next) => search.write({ show: next === "errors" ? undefined : next })}
                />
              </div>
              <Table
                caption={`Judge compared with people, by ${cut.name.toLowerCase()}`}
                rows={parts.map(sayNothingOfNone)}
                rowKey={(part) => part.name}
                columns={[{ ...NAME, header: cut.name }, ...COLUMNS[view]]}
                file={{ name: "judge-compared-with-people", columns: FILE_COLUMNS, signature }}
              />
              <Computing query={computing} />
              {spokenWords(spoken) && <Soft>{spokenWords(spoken)}</Soft>}
            </>
          )
        }
      </QueryView>
      <p>
        <ProjectLink page="answers" search={{ errors_of: run }}>
          View the judge’s errors
        </ProjectLink>
        {" · "}
        <ProjectLink page="runs/board" search={{ judge: run }}>
          Compare all judges
        </ProjectLink>
      </p>
    </Section>
  );
}

function nothingWords(by: PartBy): string {
  if (by === "dataset") return "People have not decided any answers to questions in a data set.";
  if (by === "tag") return "People have not decided any answers to questions with a tag.";
  return "People have not decided any of these answers yet.";
}

/** Where the judge gave no verdict at all it has not disagreed with anybody. */
function sayNothingOfNone(part: BoardRow): BoardRow {
  if (verdictsOf(part) > 0) return part;
  return { ...part, figures: { ...part.figures, accuracy_all: makeFigure(null) } };
}

const FIGURES = [...COEFFICIENTS, "bias", "error_multiple"] as const;

const NAME = { key: "name", value: ({ name }: BoardRow) => name };

/** All figures beside each other are wider than the page. */
const VIEWS = [
  { value: "errors", name: "Errors" },
  { value: "coefficients", name: "Coefficients" },
] as const;

const SIZE = sizeColumn<BoardRow>("Answers");
const COLUMNS = {
  errors: [
    SIZE,
    figureColumn<BoardRow>("accuracy_all"),
    ...errorColumns<BoardRow>(),
    figureColumn<BoardRow>("bias"),
    figureColumn<BoardRow>("error_multiple"),
  ],
  coefficients: [SIZE, ...COEFFICIENTS.map((name) => figureColumn<BoardRow>(name))],
};
const FILE_COLUMNS = [NAME, COUNTS_IN_FILE, figuresInFile<BoardRow>(["accuracy_all", ...FIGURES])];
