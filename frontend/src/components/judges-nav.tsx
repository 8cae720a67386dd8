/** The pages about judges, beside each other. */
import { ProjectLink } from "./project-link";
import styles from "./judges-nav.module.css";

export type JudgesPage = "runs" | "runs/prejudging" | "runs/connections" | "runs/prompts";

const PAGES: readonly { readonly page: JudgesPage; readonly name: string }[] = [
  { page: "runs", name: "Runs" },
  { page: "runs/prejudging", name: "Pre-judging" },
  { page: "runs/connections", name: "Connections" },
  { page: "runs/prompts", name: "Prompts" },
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
