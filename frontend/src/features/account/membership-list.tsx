/** The projects one takes part in, each with the way out. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post, read } from "../../api/client";
import type { ProjectLine } from "../../api/contract";
import { Button } from "../../components/button";
import { ConfirmDialog } from "../../components/confirm-dialog";
import { type Column, Table } from "../../components/table";
import { t } from "../../lib/i18n/t";
import { ROLE_WORDS } from "../../lib/role-words";

export function MembershipList({ projects }: { readonly projects: readonly ProjectLine[] }) {
  const [leaving, setLeaving] = useState<ProjectLine | null>(null);
  const queryClient = useQueryClient();
  if (projects.length === 0) return <p>{t("You take part in no project.")}</p>;
  const leave = async (slug: string) => {
    await post("/api/projects/{slug}/leave", { slug });
    queryClient.removeQueries({ queryKey: keyOf("/api/projects/{slug}", { slug }) });
    await queryClient.invalidateQueries({ queryKey: read("/api/projects").queryKey });
  };
  return (
    <>
      <Table
        caption={t("Your projects")}
        columns={columnsFor(setLeaving)}
        rows={projects}
        rowKey={(project) => project.slug}
      />
      {leaving && (
        <ConfirmDialog
          title={t("Leave {project}?", { project: leaving.name })}
          confirm={t("Leave")}
          onConfirm={() => leave(leaving.slug)}
          onClose={() => setLeaving(null)}
        >
          <p>{t("You no longer see the project. What you have judged stays, under your pseudonym.")}</p>
          <p>{t("To come back you need a new invitation.")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function columnsFor(leave: (project: ProjectLine) => void): Column<ProjectLine>[] {
  return [
    {
      key: "name",
      header: t("Project"),
      isRowHeader: true,
      cell: (project) => <span dir="auto">{project.name}</span>,
    },
    { key: "role", header: t("Role"), cell: (project) => t(ROLE_WORDS[project.role]) },
    {
      key: "leave",
      header: t("Way out"),
      align: "end",
      cell: (project) => (
        <Button
          size="small"
          aria-label={t("Leave {project}", { project: project.name })}
          onClick={() => leave(project)}
        >
          {t("Leave")}
        </Button>
      ),
    },
  ];
}
