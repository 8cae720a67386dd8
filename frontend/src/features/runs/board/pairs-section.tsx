/** Judges and people two by two: how often they say the same, where they do not, and who agrees more with people. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../../api/client";
import type { ComparedJudges, JudgePair, JudgePairs } from "../../../api/schema";
import { figureColumn, figureIn, whyWords } from "../../../components/figure";
import { PairGrid, type Square } from "../../../components/pair-grid";
import { ProjectLink } from "../../../components/project-link";
import { QueryView } from "../../../components/query-view";
import { numberColumn, Table } from "../../../components/table";
import { ComparedPairs } from "../../../domain/compared-pairs";
import { judgePairsWords, turnedPairs } from "../../../domain/pair-words";
import { countOf, formatCoefficient, formatCount, formatPercent } from "../../../lib/numbers";
import { Soft, Undecided } from "../beside-columns";

export function JudgePairsSection({ slug }: { readonly slug: string }) {
  const query = useQuery(read("/api/projects/{slug}/judge-board/pairs", { slug }));
  return (
    <QueryView query={query}>
      {(found) =>
        found.pairs.length === 0 ? (
          <Soft>
            This section needs two judges (or a judge and people) that have judged the same answers.
          </Soft>
        ) : (
          <Pairs found={found} />
        )
      }
    </QueryView>
  );
}

function Pairs({ found }: { readonly found: JudgePairs }) {
  const names = new Map(found.judges.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => names.get(id) ?? id;
  return (
    <>
      <Undecided undecided={found.undecided} />
      <JudgeGrid found={found} />
      <Table
        caption="Pairs of judges"
        rows={found.pairs}
        rowKey={({ first, second }) => `${first} ${second}`}
        columns={[
          {
            key: "pair",
            header: "Pair",
            cell: ({ first, second }) => `${nameOf(first)} – ${nameOf(second)}`,
            value: ({ first, second }) => `${nameOf(first)} ${nameOf(second)}`,
            csv: ({ first, second }) => ({ first: nameOf(first), second: nameOf(second) }),
          },
          numberColumn<JudgePair>("answers", "Answers", ({ answers }) => answers),
          figureColumn<JudgePair>("agreement"),
          figureColumn<JudgePair>("cohen_kappa"),
          numberColumn<JudgePair>("first_only", "Only the first accepts", (pair) => pair.first_only, {
            cell: ({ first, second, first_only: count }) => (
              <Differing accepted={first} rejected={second} count={count} />
            ),
          }),
          numberColumn<JudgePair>("second_only", "Only the second accepts", (pair) => pair.second_only, {
            cell: ({ first, second, second_only: count }) => (
              <Differing accepted={second} rejected={first} count={count} />
            ),
          }),
        ]}
        note="Only answers to judged questions count, and only if both judges have a verdict. Select a number to see the answers."
        file={{ name: "judges-beside-each-other", signature: found.signature }}
      />
    </>
  );
}

interface DifferingProps {
  readonly accepted: string;
  readonly rejected: string;
  readonly count: number;
}

function Differing({ accepted, rejected, count }: DifferingProps) {
  if (count === 0) return "0";
  return (
    <ProjectLink page="answers" search={{ accepted_by: accepted, rejected_by: rejected }}>
      {formatCount(count)}
    </ProjectLink>
  );
}

const MOST = 24;

/** Agreement of every two as a square: κ above the diagonal, percent below it. */
function JudgeGrid({ found }: { readonly found: JudgePairs }) {
  const { judges, pairs } = found;
  if (judges.length < 3 || judges.length > MOST) return null;
  const most = Math.max(0, ...pairs.map(({ answers }) => answers));
  return (
    <PairGrid
      title="Agreement between judges"
      note={`Cohen’s κ above the diagonal and percent agreement below it, on up to ${countOf(most, "answer")} that both judged.`}
      of="Judge"
      members={judges.map(({ id, name }) => ({ key: id, name }))}
      pairs={pairs}
      endsOf={({ first, second }) => [first, second]}
      missing="No answers judged by both"
      squareOf={squareOf}
    />
  );
}

/** As κ is none, half of all answers alike is none. */
function squareOf({ answers, figures }: JudgePair, isBelow: boolean): Square {
  const all = `${countOf(answers, "answer")}. `;
  const agreement = figureIn(figures, "agreement").value;
  if (isBelow) return { depth: 2 * (agreement ?? 0) - 1, text: formatPercent(agreement), title: all };
  const kappa = figureIn(figures, "cohen_kappa");
  const why = (kappa.value === null && whyWords(kappa)) || "";
  return { depth: kappa.value ?? 0, text: formatCoefficient(kappa.value), title: `${all}${why}` };
}

export function JudgeDifferencesSection({ slug }: { readonly slug: string }) {
  const query = useQuery(read("/api/projects/{slug}/judge-board/differences", { slug }));
  return (
    <QueryView query={query}>
      {(found) =>
        found.pairs.length === 0 ? (
          <Soft>This section needs two judges with verdicts on answers that people have decided.</Soft>
        ) : (
          <Differences found={found} />
        )
      }
    </QueryView>
  );
}

function Differences({ found }: { readonly found: ComparedJudges }) {
  const names = new Map(found.judges.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => names.get(id) ?? id;
  return (
    <>
      <Undecided undecided={found.undecided} />
      <Soft>
        {judgePairsWords(found.pairs)} The corrected p-value, from McNemar’s exact test by question, shows how
        often two equally good judges would differ this much by chance. If judges settled some of the answers,
        the audited answers represent all settled answers, and the test is Student’s t-test.
      </Soft>
      <ComparedPairs
        caption="Which of two judges agrees more with people"
        things="Judges"
        unit="answer"
        all={found.pairs}
        shown={turnedPairs(found.pairs)}
        way="people"
        nameOf={nameOf}
        isWhole
        file={{ name: "differences-of-judges", signature: found.signature }}
      />
    </>
  );
}
