/** What a policy would do, in counts and by example, before anything is done. */
import type { PolicyPreview as Preview } from "../../api/contract";
import { LabelMark } from "../../components/label-mark";
import { Notice } from "../../components/notice";
import { ProjectLink } from "../../components/project-link";
import { countOf, formatCount } from "../../lib/numbers";
import styles from "./prejudging.module.css";

export function PolicyPreview({ preview }: { readonly preview: Preview }) {
  return (
    <Notice
      title={`Of ${countOf(preview.open, "open answer")}, ${formatCount(preview.decided)} would be settled, ${formatCount(preview.drawn)} drawn for raters, ${formatCount(preview.to_people)} left to people.`}
    >
      {preview.rules.map((rule) => (
        <details key={rule.number}>
          <summary>
            Rule {rule.number}: {countOf(rule.decided, "answer")} settled, {formatCount(rule.drawn)} drawn
          </summary>
          <ul className={styles["rows"]}>
            {rule.sample.map((answer) => (
              <li key={answer.id} className={styles["row"]}>
                <span className={styles["head"]}>
                  <LabelMark label={answer.label} />
                  <ProjectLink page={`answers/${answer.id}`}>
                    <span dir="auto">{answer.answer || "(empty)"}</span>
                  </ProjectLink>
                </span>
                <span className={styles["soft"]} dir="auto">
                  {answer.question}
                </span>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </Notice>
  );
}
