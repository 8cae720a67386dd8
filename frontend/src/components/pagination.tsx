/** Pages of a long list. */
import { useEffect } from "react";
import { currentLanguage } from "../lib/i18n/catalog";
import { t } from "../lib/i18n/t";
import { formatCount } from "../lib/numbers";
import { useSearchState } from "../lib/search-state";
import { Button } from "./button";
import styles from "./table.module.css";

interface Place {
  readonly count: number;
  readonly before: number;
  readonly previous: string | null;
  readonly next: string | null;
}

interface PaginationProps {
  readonly label: string;
  /** What was read, a page of it; the address says which. */
  readonly of: Place;
  /** How many rows it has. */
  readonly shown: number;
  /** Its key there, where the page has another list. */
  readonly at?: string;
}

/** The rows in sight of how many, and the pages beside them. */
export function Pagination({ label, of, shown, at = "cursor" }: PaginationProps) {
  const { write } = useSearchState();
  const { count, before, previous, next } = of;
  // What stood here is gone: the last rows there are.
  const isPastEnd = shown === 0 && previous !== null;
  useEffect(() => {
    if (isPastEnd) write({ [at]: previous });
  }, [isPastEnd, write, at, previous]);
  const turnTo = (cursor: string | null) => write({ [at]: cursor ?? undefined });
  if (isPastEnd || (previous === null && next === null)) return null;
  const rows = {
    first: formatCount(before + 1),
    last: formatCount(before + shown),
    count: formatCount(count),
  };
  return (
    <nav className={styles["pages"]} aria-label={label}>
      <Button
        lang={currentLanguage()}
        size="small"
        disabled={previous === null}
        onClick={() => turnTo(previous)}
      >
        {t("Previous")}
      </Button>
      <span className="number" lang={currentLanguage()}>
        {t("{first}–{last} of {count}", rows)}
      </span>
      <Button lang={currentLanguage()} size="small" disabled={next === null} onClick={() => turnTo(next)}>
        {t("Next")}
      </Button>
    </nav>
  );
}
