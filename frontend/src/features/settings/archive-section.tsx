/** Closing a project and opening it again; an archived one can be deleted. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, patch, read } from "../../api/client";
import type { Project } from "../../api/contract";
import { messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { DeleteDialog } from "./delete-dialog";
import styles from "./settings.module.css";

export function ArchiveSection({ project }: { readonly project: Project }) {
  const queryClient = useQueryClient();
  const [deleting, setDeleting] = useState(false);
  const isArchived = project.state === "archived";
  const change = useMutation({
    mutationFn: () =>
      patch("/api/projects/{slug}", { slug: project.slug }, { state: isArchived ? "open" : "archived" }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({
        queryKey: keyOf("/api/projects/{slug}", { slug: project.slug }),
      });
      await queryClient.invalidateQueries({ queryKey: read("/api/projects").queryKey });
    },
  });
  return (
    <>
      <p>
        {isArchived
          ? "This project is archived: everything can be read and exported, nothing is judged or changed."
          : "In an archived project nothing is judged or changed. Everything can still be read and exported, and a lead can open it again."}
      </p>
      {change.isError && <Notice tone="danger">{messageOf(change.error)}</Notice>}
      <div className={styles["actions"]}>
        <Button busy={change.isPending} onClick={() => change.mutate()}>
          {isArchived ? "Open it again" : "Archive the project"}
        </Button>
        {isArchived && (
          <Button variant="danger" onClick={() => setDeleting(true)}>
            Delete the project
          </Button>
        )}
      </div>
      {deleting && <DeleteDialog project={project} onClose={() => setDeleting(false)} />}
    </>
  );
}
