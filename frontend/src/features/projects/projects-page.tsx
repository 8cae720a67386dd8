/** The projects of the person signed in: where each stands and what waits there. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read } from "../../api/client";
import type { ProjectListItem } from "../../api/schema";
import { sessionQuery } from "../../api/session";
import { Badge } from "../../components/badge";
import { ButtonLink } from "../../components/button";
import { Page, PageHeader, useTitle } from "../../components/page";
import { EmptyState, QueryView, Skeleton } from "../../components/query-view";
import { ROLE_WORDS } from "../../domain/roles";
import { plural, t } from "../../lib/i18n/t";
import { formatCount } from "../../lib/numbers";
import styles from "./projects-page.module.css";

export function ProjectsPage() {
  useTitle(t("Projects"));
  const query = useQuery(read("/api/projects"));
  const isEmpty = query.data?.length === 0;
  const mayCreate = useQuery(sessionQuery).data?.user?.may_create_projects !== false;
  // Whoever has work waiting is here for that, not to begin a study.
  const isForLead = query.data?.some(({ role }) => role === "lead") && !query.data.some(hasWork);
  return (
    <Page width="reading">
      <PageHeader
        title={t("Projects")}
        actions={
          !isEmpty && (
            <>
              {query.data?.some(({ role }) => role !== "annotator") && (
                <ButtonLink to="/compare">{t("Compare projects")}</ButtonLink>
              )}
              {mayCreate && (
                <ButtonLink to="/new" variant={isForLead ? "primary" : "secondary"}>
                  {t("New project")}
                </ButtonLink>
              )}
            </>
          )
        }
      />
      <QueryView query={query} loading={<Skeleton lines={4} height={4} />}>
        {(projects) =>
          projects.length === 0 ? <NoProjects mayCreate={mayCreate} /> : <ProjectList projects={projects} />
        }
      </QueryView>
    </Page>
  );
}

function NoProjects({ mayCreate }: { readonly mayCreate: boolean }) {
  return (
    <EmptyState
      title={t("No projects yet")}
      action={
        mayCreate && (
          <ButtonLink to="/new" variant="primary">
            {t("New project")}
          </ButtonLink>
        )
      }
    >
      <p>
        {t("A project is one study: questions, answers from several systems, and the people who judge them.")}
      </p>
    </EmptyState>
  );
}

function ProjectList({ projects }: { readonly projects: readonly ProjectListItem[] }) {
  const ordered = inOrder(projects);
  return (
    <ul className="ruled">
      {ordered.map((project) => (
        <ProjectRow
          key={project.slug}
          project={project}
          // One button is the page's; the others wait their turn.
          isFirst={project === ordered[0]}
        />
      ))}
    </ul>
  );
}

/** How much waits for the reader, by their role; null for leads, for whom the overview says it, and for viewers. */
function waiting({ left_questions: left, waiting_decisions: decisions }: ProjectListItem): number | null {
  return left ?? decisions;
}

function hasWork(project: ProjectListItem): boolean {
  return project.state !== "archived" && (waiting(project) ?? 0) > 0;
}

/** Where work waits for the reader comes first, what is archived last; else as the server has them. */
export function inOrder(projects: readonly ProjectListItem[]): ProjectListItem[] {
  const placeOf = (project: ProjectListItem) => (project.state === "archived" ? 2 : hasWork(project) ? 0 : 1);
  return [...projects].sort((first, second) => placeOf(first) - placeOf(second));
}

interface ProjectRowProps {
  readonly project: ProjectListItem;
  readonly isFirst: boolean;
}

function ProjectRow({ project, isFirst }: ProjectRowProps) {
  return (
    <li className={styles["row"]}>
      <div className={styles["words"]}>
        <h2>
          <Link to={`/${project.slug}` as "/"} className={styles["name"]}>
            {project.name}
          </Link>
        </h2>
        <p className={styles["facts"]}>
          {t(ROLE_WORDS[project.role])}
          {" · "}
          {plural(project.question_count, "{count} question", "{count} questions")}
          {project.answer_count !== null &&
            ` · ${plural(project.answer_count, "{count} answer", "{count} answers")}`}
          {project.role === "viewer" && ` · ${t("results and data to view")}`}
        </p>
      </div>
      {project.role === "lead" || project.role === "viewer" ? (
        <Decided project={project} />
      ) : (
        <Waiting project={project} isFirst={isFirst} />
      )}
      {project.state === "archived" && <Badge>{t("Archived")}</Badge>}
    </li>
  );
}

function Waiting({ project, isFirst }: ProjectRowProps) {
  if (!hasWork(project)) return <p className={styles["nothing"]}>{nothingWords(project)}</p>;
  const isAnnotator = project.role === "annotator";
  const count = waiting(project) ?? 0;
  return (
    <div className={styles["waiting"]}>
      <p>
        {isAnnotator
          ? plural(count, "{count} question to judge", "{count} questions to judge")
          : plural(count, "{count} answer to decide", "{count} answers to decide")}
      </p>
      <ButtonLink
        to={`/${project.slug}/${isAnnotator ? "judge" : "queue"}` as "/"}
        variant={isFirst ? "primary" : "secondary"}
      >
        {isAnnotator ? t("Judge answers") : t("Decide answers")}{" "}
        <span className="visually-hidden">· {project.name}</span>
      </ButtonLink>
    </div>
  );
}

function nothingWords({ role, state }: ProjectListItem): string {
  if (state === "archived") return "";
  return role === "annotator" ? t("Nothing to judge now") : t("Nothing to decide now");
}

function Decided({ project }: { readonly project: ProjectListItem }) {
  const [done, total] = [project.decided_count ?? 0, project.answer_count ?? 0];
  return (
    <div className={styles["progress"]}>
      <progress
        max={1}
        value={total === 0 ? 0 : done / total}
        aria-label={t("Decided answers in {project}", { project: project.name })}
      />
      <p>
        {total === 0
          ? t("Nothing imported yet")
          : t("{done} of {total} answers decided", { done: formatCount(done), total: formatCount(total) })}
      </p>
    </div>
  );
}
