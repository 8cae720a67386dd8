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
  // Whoever only judges is here for the work that waits, not to begin a study.
  const isLead = query.data?.some(({ role }) => role === "lead") ?? false;
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
                <ButtonLink to="/new" variant={isLead ? "primary" : "secondary"}>
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
      title={t("Your projects appear here")}
      action={
        mayCreate && (
          <ButtonLink to="/new" variant="primary">
            {t("New project")}
          </ButtonLink>
        )
      }
    >
      <p>
        {t(
          "A project is one study: questions, the answers of several systems, and the people who judge them. If somebody invited you to one, open the link they sent.",
        )}
      </p>
    </EmptyState>
  );
}

function ProjectList({ projects }: { readonly projects: readonly ProjectListItem[] }) {
  return (
    <ul className="ruled">
      {inOrder(projects).map((project) => (
        <ProjectRow key={project.slug} project={project} />
      ))}
    </ul>
  );
}

/** Where work waits for the reader comes first, what is archived last; else as the server has them. */
export function inOrder(projects: readonly ProjectListItem[]): ProjectListItem[] {
  const placeOf = ({ state, left_questions: left }: ProjectListItem) =>
    state === "archived" ? 2 : (left ?? 0) > 0 ? 0 : 1;
  return [...projects].sort((first, second) => placeOf(first) - placeOf(second));
}

function ProjectRow({ project }: { readonly project: ProjectListItem }) {
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
        </p>
      </div>
      {project.left_questions === null ? (
        <Decided project={project} />
      ) : (
        <p className={styles["open"]}>{openWords(project.left_questions)}</p>
      )}
      {project.state === "archived" && <Badge>{t("Archived")}</Badge>}
    </li>
  );
}

function Decided({ project }: { readonly project: ProjectListItem }) {
  const [done, total] = [project.decided_count ?? 0, project.answer_count ?? 0];
  return (
    <div className={styles["progress"]}>
      <progress
        max={1}
        value={total === 0 ? 0 : done / total}
        aria-label={t("Decided answers of {project}", { project: project.name })}
      />
      <p>
        {total === 0
          ? t("nothing imported yet")
          : t("{done} of {total} decided", { done: formatCount(done), total: formatCount(total) })}
      </p>
    </div>
  );
}

function openWords(open: number): string {
  return open === 0
    ? t("Nothing to judge now")
    : plural(open, "{count} question to judge", "{count} questions to judge");
}
