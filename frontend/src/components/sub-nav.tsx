/** Pages that belong together, beside each other under one entry of the project's navigation. */
import { useProject } from "../api/project";
import { currentLanguage } from "../lib/i18n/catalog";
import { t } from "../lib/i18n/t";
import { ProjectLink } from "./project-link";
import styles from "./sub-nav.module.css";

const SECTIONS = [
  {
    name: "Agreement",
    isForLeads: true,
    pages: [
      { page: "agreement", name: "All raters" },
      { page: "agreement/raters", name: "By rater" },
    ],
  },
  {
    name: "Judges",
    isForLeads: false,
    pages: [
      { page: "runs", name: "Runs" },
      { page: "runs/board", name: "Against people" },
      { page: "runs/prejudging", name: "Pre-judging" },
      { page: "runs/connections", name: "Connections" },
      { page: "runs/prompts", name: "Prompts" },
    ],
  },
  {
    name: "Leaderboard",
    isForLeads: false,
    pages: [
      { page: "leaderboard", name: "Scores" },
      { page: "leaderboard/amendments", name: "Before and after" },
      { page: "leaderboard/datasets", name: "By data set" },
      { page: "leaderboard/systems", name: "Systems beside each other" },
    ],
  },
  {
    name: "Failures",
    isForLeads: false,
    pages: [
      { page: "failures", name: "Rounds" },
      { page: "failures/board", name: "Boards" },
    ],
  },
] as const;

type SubPage = (typeof SECTIONS)[number]["pages"][number]["page"];

export function SubNav({ current }: { readonly current: SubPage }) {
  const { role } = useProject();
  const section = SECTIONS.find(({ pages }) => pages.some(({ page }) => page === current));
  if (!section || (section.isForLeads && role !== "lead")) return null;
  return (
    <nav className={styles["nav"]} aria-label={t(section.name)} lang={currentLanguage()}>
      {section.pages.map(({ page, name }) =>
        page === current ? (
          <span key={page} className={styles["current"]} aria-current="page">
            {t(name)}
          </span>
        ) : (
          <ProjectLink key={page} page={page} className={styles["link"]}>
            {t(name)}
          </ProjectLink>
        ),
      )}
    </nav>
  );
}
