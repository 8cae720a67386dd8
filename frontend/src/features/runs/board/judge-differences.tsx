/** Judges two by two: which agrees more with people, and whether that can be told from chance. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../../api/client";
import type { ComparedJudges } from "../../../api/schema";
import { CsvButton } from "../../../components/csv-button";
import { QueryView } from "../../../components/query-view";
import { ComparedPairs } from "../../../domain/compared-pairs";
import { judgePairsWords, pairsCsv, turnedPairs } from "../../../domain/pair-words";
import { Soft } from "../beside-columns";

export function JudgeDifferencesSection({ slug }: { readonly slug: string }) {
  const query = useQuery(read("/api/projects/{slug}/judge-board/differences", { slug }));
  return (
    <QueryView query={query}>
      {(found) =>
        found.pairs.length === 0 ? (
          <Soft>It takes two judges with verdicts on answers that people decided.</Soft>
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
      <Soft>
        {judgePairsWords(found.pairs)} The corrected p is exact: how often two equally good judges lie as far
        apart when each question is given to either of them; with one answer a question that is McNemar’s
        test. Where programs settled answers, those audited stand for them, and it is Student’s.
      </Soft>
      <ComparedPairs
        caption="Which of two judges agrees more with people"
        things="Judges"
        unit="answer"
        pairs={turnedPairs(found.pairs)}
        nameOf={nameOf}
        isWhole
      />
      <div>
        <CsvButton
          name="differences-of-judges"
          rows={pairsCsv(found.pairs, "people", "answer", nameOf)}
          signature={found.signature}
        />
      </div>
    </>
  );
}
