/** What a project is called, what it is about, and how its answers are cleaned. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { keyOf, patch, read } from "../../api/client";
import { messageOf } from "../../api/error";
import type { Project } from "../../api/contract";
import { Button } from "../../components/button";
import { CleaningSelect } from "../../components/cleaning-select";
import { TextArea, TextField } from "../../components/field";
import { Notice } from "../../components/notice";
import { useToast } from "../../components/toast";
import styles from "./settings.module.css";

export function NameForm({ project }: { readonly project: Project }) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const [name, setName] = useState(project.name);
  const [description, setDescription] = useState(project.description);
  const [cleaning, setCleaning] = useState(project.cleaning);
  const change = useMutation({
    mutationFn: () =>
      patch(
        "/api/projects/{slug}",
        { slug: project.slug },
        { name: name.trim(), description: description.trim(), cleaning },
      ),
    onSuccess: async () => {
      toast({ text: "Saved." });
      await queryClient.invalidateQueries({
        queryKey: keyOf("/api/projects/{slug}", { slug: project.slug }),
      });
      await queryClient.invalidateQueries({ queryKey: read("/api/projects").queryKey });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form className={styles["form"]} onSubmit={submit}>
      <TextField
        label="Name"
        required
        maxLength={200}
        hint={`Its address stays /${project.slug}.`}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextArea
        label="What it is about"
        rows={4}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <CleaningSelect value={cleaning} onChange={setCleaning} />
      {change.isError && <Notice tone="danger">{messageOf(change.error)}</Notice>}
      <div className={styles["actions"]}>
        <Button type="submit" busy={change.isPending} disabled={name.trim() === ""}>
          Save
        </Button>
      </div>
    </form>
  );
}
