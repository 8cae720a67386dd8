/** The name that leads see. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { patch } from "../../api/client";
import { sessionQuery } from "../../api/session";
import type { User } from "../../api/contract";
import { messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { TextField } from "../../components/field";
import { Form, FormError } from "../../components/form";
import { useToast } from "../../components/toast";
import { t } from "../../lib/i18n/t";

export function NameForm({ user }: { readonly user: User }) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const [name, setName] = useState(user.name);
  const change = useMutation({
    mutationFn: () => patch("/api/account", {}, { name: name.trim() }),
    onSuccess: async () => {
      toast({ text: t("Your name was changed.") });
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
    >
      <TextField
        label={t("Your name")}
        hint={t("Shown to the leads of your projects; in results you stand under a pseudonym.")}
        autoComplete="name"
        maxLength={150}
        required
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {change.isError && <FormError>{messageOf(change.error)}</FormError>}
      <Button type="submit" busy={change.isPending} disabled={name.trim() === "" || name === user.name}>
        {t("Change the name")}
      </Button>
    </Form>
  );
}
