/** May a judge take a person's place on this study? The alternative annotator test, judge by judge. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../../api/client";
import { useMayOpen } from "../../../api/project";
import type { Replacement, Replacements } from "../../../api/schema";
import { figureColumn } from "../../../components/figure";
import { Notice } from "../../../components/notice";
import { ProjectLink } from "../../../components/project-link";
import { QueryView } from "../../../components/query-view";
import { SegmentedControl } from "../../../components/segmented-control";
import { type Column, numberColumn, Table } from "../../../components/table";
import type { CsvCells } from "../../../lib/csv";
import { formatPoints } from "../../../lib/numbers";
import { useSearchState } from "../../../lib/search-state";
import { Soft } from "../beside-columns";
import styles from "./board.module.css";
import { ANSWERS, protocolWords, reasonOf, votesWords } from "./replacement-words";

/** The paper's advice, by how good and how dear the people are that the judge would replace. */
const EPSILONS = [
  { value: "0.1", name: "Crowd workers (ε = 0.10)" },
  { value: "0.15", name: "Skilled annotators (ε = 0.15)" },
  { value: "0.2", name: "Experts (ε = 0.20)" },
] as const;
const USUAL = "0.15";

export function ReplacementSection({ slug }: { readonly slug: string }) {
  const search = useSearchState();
  const chosen = EPSILONS.find(({ value }) => value === search.read("epsilon"))?.value ?? USUAL;
  const query = useQuery(
    read("/api/projects/{slug}/judge-board/replacement", { slug }, { epsilon: Number(chosen) }),
  );
  return (
    <>
      <div className={styles["controls"]}>
        <SegmentedControl
          label="Annotator to replace"
          value={chosen}
          options={EPSILONS}
          onChange={(next) => search.write({ epsilon: next === USUAL ? undefined : next })}
        />
      </div>
      <Soft>
        A judge costs less than an annotator, so you may accept slightly less agreement. ε sets the limit:
        with ε = 0.10, a judge may agree with the other annotators up to 10 points less often than the
        annotator it would replace. The more expensive the annotators, the larger ε can be.
      </Soft>
      <QueryView query={query}>
        {(found) =>
          found.judges.length === 0 ? (
            <Soft>This test needs a judge with verdicts on answers that two annotators have judged.</Soft>
          ) : (
            <>
              <TooFewRaters found={found} />
              <Answers found={found} />
            </>
          )
        }
      </QueryView>
    </>
  );
}

/** The reason that holds for every judge, said once. */
function TooFewRaters({ found }: { readonly found: Replacements }) {
  const mayOpen = useMayOpen();
  const votes = votesWords(found);
  if (votes === null) return null;
  const protocol = protocolWords(found);
  return (
    <Notice
      tone="info"
      title="Too few annotators for this test"
      actions={
        protocol &&
        mayOpen("protocol") && (
          <ProjectLink page="protocol" search={{ field: "raters_per_answer" }}>
            Change the protocol
          </ProjectLink>
        )
      }
    >
      <p>
        {votes} {protocol}
      </p>
    </Notice>
  );
}

function Answers({ found }: { readonly found: Replacements }) {
  return (
    <Table
      caption="Judges that may replace an annotator in this study"
      rows={found.judges}
      rowKey={({ run }) => run}
      columns={columnsOf(found)}
      note={`Alternative annotator test (Calderon et al. 2025): the test leaves out each annotator in turn and compares how often the judge and that annotator agree with the other annotators. It uses blind votes without tie-breaks, and its significance tests are computed over questions. A judge may be up to ${formatPoints(found.epsilon, 0)} points (ε) behind an annotator. The false discovery rate is at most ${formatPoints(found.false_discoveries, 0)}% (Benjamini–Yekutieli). “Yes” means that the judge agrees with these annotators about as well as one of them does. The result does not apply to other studies.`}
      file={{
        name: "judges-that-may-replace-an-annotator",
        signature: found.signature,
        lines: linesOf(found),
      }}
      folds
    />
  );
}

function columnsOf(found: Replacements): readonly Column<Replacement>[] {
  return [
    {
      key: "name",
      header: "Judge",
      cell: ({ run, name }) => <ProjectLink page={`runs/${run}`}>{name}</ProjectLink>,
      value: ({ name }) => name,
    },
    {
      key: "replaces",
      header: "May replace an annotator",
      cell: (judge) => (
        <span className={styles["answer"]}>
          <strong>{ANSWERS[judge.replaces]}</strong>, because {reasonOf(judge, found)}.
        </span>
      ),
      value: ({ replaces }) => ANSWERS[replaces],
    },
    figureColumn<Replacement>("winning_rate"),
    figureColumn<Replacement>("advantage"),
    numberColumn<Replacement>("raters", "Annotators compared", ({ raters }) => raters.length),
  ];
}

/** A line each judge, then one for each rater it was compared with. */
function linesOf({ epsilon, judges, signature }: Replacements): CsvCells[] {
  return judges.flatMap(({ name, replaces, figures, won, won_together, raters }) => {
    const { winning_rate: rate, advantage } = figures;
    const whole = {
      judge: name,
      rater: "all",
      epsilon,
      may_replace: replaces,
      raters: raters.length,
      won,
      won_together,
      winning_rate: rate?.value ?? null,
      advantage: advantage?.value ?? null,
      advantage_low: advantage?.low ?? null,
      advantage_high: advantage?.high ?? null,
      shared: null,
      rater_ahead: null,
      corrected_p: null,
      signature,
    };
    const each = raters.map(({ rater, shared, judge_ahead, rater_ahead, p_value, is_level }) => ({
      ...whole,
      rater,
      may_replace: is_level ? "level" : "behind",
      raters: null,
      won: null,
      won_together: null,
      winning_rate: null,
      advantage: judge_ahead,
      advantage_low: null,
      advantage_high: null,
      shared,
      rater_ahead,
      corrected_p: p_value,
    }));
    return [whole, ...each];
  });
}
