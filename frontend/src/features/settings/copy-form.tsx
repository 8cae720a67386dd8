/** A new, empty project after this one's pattern. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { post, read } from "../../api/client";
import { messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { TextField } from "../../components/field";
import { Form, FormError } from "../../components/form";

export function CopyForm({ slug }: { readonly slug: string }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const copying = useMutation({
    mutationFn: () => post("/api/projects/{slug}/copy", { slug }, { name: name.trim() }),
    onSuccess: async (copied) => {
      await queryClient.invalidateQueries({ queryKey: read("/api/projects").queryKey });
      await navigate({ to: `/${copied.slug}/settings` as "/" });
    },
  });
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        copying.mutate();
      }}
    >
      <p>Takes over protocol, guidelines, pooling and cleaning. Questions, answers and people stay here.</p>
      <TextField
        label="Name of the new project"
        required
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {copying.isError && <FormError>{messageOf(copying.error)}</FormError>}
      <Button type="submit" busy={copying.isPending} disabled={name.trim() === ""}>
        Make the project
      </Button>
    </Form>
  );
}
