/** Pages that belong together, beside each other under one entry of the project's navigation. */
import { currentLanguage } from "../lib/i18n/catalog";
import { ProjectLink } from "./project-link";
import styles from "./sub-nav.module.css";

interface SubNavProps<Page extends string> {
  readonly label: string;
  readonly pages: readonly { readonly page: Page; readonly name: string }[];
  readonly current: Page;
}

export function SubNav<Page extends string>({ label, pages, current }: SubNavProps<Page>) {
  return (
    <nav className={styles["nav"]} aria-label={label} lang={currentLanguage()}>
      {pages.map(({ page, name }) =>
        page === current ? (
          <span key={page} className={styles["current"]} aria-current="page">
            {name}
          </span>
        ) : (
          <ProjectLink key={page} page={page} className={styles["link"]}>
            {name}
          </ProjectLink>
        ),
      )}
    </nav>
  );
}
