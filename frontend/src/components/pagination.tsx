/** Pages of a long list. */
import { formatCount } from "../lib/numbers";
import { Button } from "./button";
import styles from "./pagination.module.css";

interface PaginationProps {
  readonly label: string;
  readonly page: number;
  readonly pageCount: number;
  readonly onChange: (page: number) => void;
}

export function Pagination({ label, page, pageCount, onChange }: PaginationProps) {
  if (pageCount < 2) return null;
  return (
    <nav className={styles["pages"]} aria-label={label}>
      <Button size="small" disabled={page <= 1} onClick={() => onChange(page - 1)}>
        Previous
      </Button>
      <span className="number">
        Page {formatCount(page)} of {formatCount(pageCount)}
      </span>
      <Button size="small" disabled={page >= pageCount} onClick={() => onChange(page + 1)}>
        Next
      </Button>
    </nav>
  );
}
