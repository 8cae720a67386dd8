/** The judged sample beside all questions. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Leaderboard } from "../../api/schema";
import { useProject } from "../../api/project";
import { Section } from "../../components/page";
import { QueryView } from "../../components/query-view";
import type { QuestionFilter } from "../../domain/question-filter";
import { BesideTable } from "./beside-table";
import styles from "./leaderboard-page.module.css";

interface BesideSectionProps {
  readonly sample: Leaderboard;
  readonly filter: QuestionFilter;
}

export function BesideSection({ sample, filter }: BesideSectionProps) {
  const { slug } = useProject();
  const query = useQuery(read("/api/projects/{slug}/leaderboard", { slug }, { ...filter, scope: "entire" }));
  return (
    <Section title="The judged sample beside all questions">
      <QueryView query={query}>
        {(entire) =>
          entire.n_questions === sample.n_questions || entire.rows.length === 0 ? (
            <p className={styles["soft"]}>
              No system has answers beyond the judged sample, so there is nothing to set beside it.
            </p>
          ) : (
            <>
              <p className={styles["soft"]}>
                How far a judge’s scores on the sample stand for all questions. People judge the sample only,
                and a system that answered nothing else has no score beyond it.
              </p>
              <BesideTable sample={sample} entire={entire} dataset={filter.dataset} />
            </>
          )
        }
      </QueryView>
    </Section>
  );
}
