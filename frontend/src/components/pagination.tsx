/** Pages of a long list. */
import { currentLanguage } from "../lib/i18n/catalog";
import { t } from "../lib/i18n/t";
import { formatCount } from "../lib/numbers";
import { Button } from "./button";
import styles from "./table.module.css";

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
      <Button lang={currentLanguage()} size="small" disabled={page <= 1} onClick={() => onChange(page - 1)}>
        {t("Previous")}
      </Button>
      <span className="number" lang={currentLanguage()}>
        {t("Page {page} of {pages}", { page: formatCount(page), pages: formatCount(pageCount) })}
      </span>
      <Button
        lang={currentLanguage()}
        size="small"
        disabled={page >= pageCount}
        onClick={() => onChange(page + 1)}
      >
        {t("Next")}
      </Button>
    </nav>
  );
}
