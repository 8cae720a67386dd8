/** What a study that is not finished lacks for its paper: the first thing to know of every table and text below. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Overview } from "../../api/schema";
import { Notice } from "../../components/notice";
import { AwaitingState } from "../../domain/first-step";
import styles from "./export.module.css";

/** The text for a paper, and whether there is something to say in one yet; undefined while that is not known. */
export function useMethods(slug: string) {
  const methods = useQuery(read("/api/projects/{slug}/methods", { slug }));
  const isUnfinished = (methods.data?.missing.length ?? 0) > 0;
  const overview = useQuery({
    ...read("/api/projects/{slug}/overview", { slug }),
    enabled: isUnfinished,
  });
  const standing = isUnfinished && !overview.isError ? overview.data && standingOf(overview.data) : "judged";
  return { methods, standing };
}

/** Answers that nobody and nothing has judged are all in the first stage. */
function standingOf({ answers, stages }: Pick<Overview, "answers" | "stages">) {
  if (answers === 0) return "empty";
  return stages.some(({ key, count }) => key !== "waiting" && count > 0) ? "judged" : "untouched";
}

export function Preliminary({ slug }: { readonly slug: string }) {
  const { methods, standing } = useMethods(slug);
  const missing = methods.data?.missing ?? [];
  if (missing.length === 0 || standing === undefined) return null;
  if (standing === "empty")
    return (
      <AwaitingState title="Tables and text for your paper appear here" then="Then people judge answers." />
    );
  return (
    <Notice tone="info" title="Preliminary: this study is not finished">
      <p>This information is still missing:</p>
      <ul className={styles["missing"]}>
        {missing.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Notice>
  );
}
