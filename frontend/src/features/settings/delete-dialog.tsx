/** Asks for the project's name before everything in it is deleted. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { keyOf, post } from "../../api/client";
import type { Project } from "../../api/contract";
import { messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { TextField } from "../../components/field";
import { Notice } from "../../components/notice";
import { useToast } from "../../components/toast";

interface DeleteDialogProps {
  readonly project: Project;
  readonly onClose: () => void;
}

export function DeleteDialog({ project, onClose }: DeleteDialogProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const [name, setName] = useState("");
  const deleting = useMutation({
    mutationFn: () => post("/api/projects/{slug}/delete", { slug: project.slug }, { name }),
    onSuccess: async () => {
      toast({ text: `${project.name} was deleted.` });
      await navigate({ to: "/" });
      queryClient.removeQueries({ queryKey: keyOf("/api/projects/{slug}", { slug: project.slug }) });
      await queryClient.invalidateQueries({ queryKey: ["projects"] });
    },
  });
  return (
    <Dialog
      open
      title={`Delete ${project.name}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button
            variant="danger"
            busy={deleting.isPending}
            disabled={name.trim() !== project.name}
            onClick={() => deleting.mutate()}
          >
            Delete for good
          </Button>
        </>
      }
    >
      <p>
        Questions, answers, votes, decisions, verdicts and all files of the project are deleted, the exports
        made here too. Nobody can bring them back: <Link to={`/${project.slug}/export` as "/"}>export</Link>{" "}
        and download first what you want to keep.
      </p>
      <TextField
        label={`Type “${project.name}” to confirm`}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {deleting.isError && <Notice tone="danger">{messageOf(deleting.error)}</Notice>}
    </Dialog>
  );
}
