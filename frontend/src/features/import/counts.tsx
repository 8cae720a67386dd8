/** What the files hold. */
import styles from "./import.module.css";
import { countsOf } from "./states";

export function Counts({ counts }: { readonly counts: Readonly<Record<string, number>> }) {
  const found = countsOf(counts);
  if (found.length === 0) return null;
  return (
    <dl className={styles["counts"]}>
      {found.map((count) => (
        <div key={count.key} className={styles["count"]}>
          <dt>{count.name}</dt>
          <dd>{count.value}</dd>
        </div>
      ))}
    </dl>
  );
}
