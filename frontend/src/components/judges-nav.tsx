/** The pages about judges, beside each other. */
import { ProjectLink } from "./project-link";
import styles from "./judges-nav.module.css";

export type JudgesPage = "runs" | "prejudging" | "connections" | "prompts";

const PAGES: readonly { readonly page: JudgesPage; readonly name: string }[] = [
  { page: "runs", name: "Runs" },
  { page: "prejudging", name: "Pre-judging" },
  { page: "connections", name: "Connections" },
  { page: "prompts", name: "Prompts" },
];

export function JudgesNav({ current }: { readonly current: JudgesPage }) {
  return (
    <nav className={styles["nav"]} aria-label="Judges">
      {PAGES.map(({ page, name }) =>
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
