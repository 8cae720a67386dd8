/** The two frames pages stand in: outside projects, and inside one. */
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useMatches } from "@tanstack/react-router";
import { sessionQuery } from "../api/session";
import { useProject } from "../api/project";
import { Badge } from "../components/badge";
import { AppShell } from "../components/app-shell";
import { ProjectNav } from "../components/project-nav";
import { t } from "../lib/i18n/t";
import { AccountMenu } from "./account-menu";
import styles from "./layouts.module.css";

/** Screen readers must not read the English pages of leads as if they were in the language around them. */
function useContentLanguage(): "en" | undefined {
  return useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.isEnglish) })
    ? "en"
    : undefined;
}

export function GeneralLayout() {
  const { data: session } = useQuery(sessionQuery);
  const lang = useContentLanguage();
  return (
    <AppShell lang={lang} account={<AccountMenu user={session?.user ?? null} />}>
      <Outlet />
    </AppShell>
  );
}

export function ProjectLayout() {
  const project = useProject();
  const lang = useContentLanguage();
  const { data: session } = useQuery(sessionQuery);
  return (
    <AppShell
      lang={lang}
      place={
        <>
          <Link to={`/${project.slug}` as "/"} className={styles["project"]}>
            {project.name}
          </Link>
          {project.state === "archived" && <Badge>{t("Archived")}</Badge>}
        </>
      }
      nav={<ProjectNav slug={project.slug} role={project.role} />}
      account={<AccountMenu user={session?.user ?? null} />}
    >
      <Outlet />
    </AppShell>
  );
}
