/** Pages of a long list. */
import { currentLanguage } from "../lib/i18n/catalog";
import { t } from "../lib/i18n/t";
import { formatCount } from "../lib/numbers";
import { useSearchState } from "../lib/search-state";
import { Button } from "./button";
import styles from "./table.module.css";

interface NumberedPaginationProps {
  readonly label: string;
  /** What was read, a page of it; the address says which. */
  readonly of: { readonly page?: number; readonly page_count?: number };
  /** Its key there, where the page has another list. */
  readonly at?: string;
}

export function NumberedPagination({
  label,
  of: { page = 1, page_count: pageCount = 1 },
  at = "page",
}: NumberedPaginationProps) {
  const search = useSearchState();
  const turnTo = (next: number) => search.write({ [at]: next === 1 ? undefined : next });
  if (pageCount < 2) return null;
  return (
    <nav className={styles["pages"]} aria-label={label}>
      <Button lang={currentLanguage()} size="small" disabled={page <= 1} onClick={() => turnTo(page - 1)}>
        {t("Previous")}
      </Button>
      <span className="number" lang={currentLanguage()}>
        {t("Page {page} of {pages}", { page: formatCount(page), pages: formatCount(pageCount) })}
      </span>
      <Button
        lang={currentLanguage()}
        size="small"
        disabled={page >= pageCount}
        onClick={() => turnTo(page + 1)}
      >
        {t("Next")}
      </Button>
    </nav>
  );
}
