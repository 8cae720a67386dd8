/** Another password, by knowing the present one. */
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { post } from "../../api/client";
import { ApiError, messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { TextField } from "../../components/field";
import { Form, FormError } from "../../components/form";
import { NewPasswordField } from "../../components/new-password-field";
import { useToast } from "../../components/toast";
import { t } from "../../lib/i18n/t";

const EMPTY = { old: "", new: "" };

export function PasswordForm() {
  const toast = useToast();
  const [passwords, setPasswords] = useState(EMPTY);
  const change = useMutation({
    mutationFn: () => post("/api/account/password", {}, passwords),
    onSuccess: () => {
      setPasswords(EMPTY);
      toast({ text: t("Your password was changed. Other places where you were signed in are signed out.") });
    },
  });
  const complaint = change.error instanceof ApiError ? change.error.fieldMessage("password") : null;
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
    >
      <TextField
        label={t("Present password")}
        type="password"
        autoComplete="current-password"
        required
        value={passwords.old}
        onChange={(event) => setPasswords({ ...passwords, old: event.target.value })}
      />
      <NewPasswordField
        value={passwords.new}
        error={complaint}
        onChange={(value) => setPasswords({ ...passwords, new: value })}
      />
      {change.isError && complaint === null && <FormError>{messageOf(change.error)}</FormError>}
      <Button type="submit" busy={change.isPending}>
        {t("Change the password")}
      </Button>
    </Form>
  );
}
