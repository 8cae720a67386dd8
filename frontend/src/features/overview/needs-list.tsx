/** What waits for the lead, each line one click from where it is settled. */
import { Link } from "@tanstack/react-router";
import type { Overview } from "../../api/contract";
import { formatCount } from "../../lib/numbers";
import styles from "./needs-list.module.css";

interface NeedsListProps {
  readonly slug: string;
  readonly needs: Overview["needs"];
  /** Whether raters have nothing left to judge either. */
  readonly isDone: boolean;
}

/** The server names addresses of the pages with or without the project in front. */
function addressOf(slug: string, href: string): string {
  if (href.startsWith(`/${slug}/`)) return href;
  return `/${slug}/${href.replace(/^\//, "")}`;
}

export function NeedsList({ slug, needs, isDone }: NeedsListProps) {
  const waiting = needs.filter(({ count }) => count > 0);
  if (waiting.length === 0)
    return (
      <p className={styles["nothing"]}>
        {isDone ? "Nothing: every answer is decided." : "Nothing. The raters can go on by themselves."}
      </p>
    );
  return (
    <ul className={styles["list"]}>
      {waiting.map((need) => (
        <li key={need.key}>
          <Link to={addressOf(slug, need.href) as "/"} className={styles["need"]}>
            <span className={styles["count"]}>{formatCount(need.count)}</span>
            <span>{need.text}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
