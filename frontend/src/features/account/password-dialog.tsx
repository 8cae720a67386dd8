/** What an account asks the password for: a dialog that says what follows. */
import { useState } from "react";
import { FormDialog } from "../../components/dialog";
import { type Sending, TextField } from "../../components/form";
import { t } from "../../lib/i18n/t";

interface PasswordDialogProps {
  readonly title: string;
  readonly action: string;
  readonly about: string;
  readonly isDanger?: boolean;
  readonly write: Sending;
  readonly onSubmit: (password: string) => void;
  readonly onClose: () => void;
}

export function PasswordDialog(props: PasswordDialogProps) {
  const { title, action, about, isDanger = false, write, onSubmit, onClose } = props;
  const [password, setPassword] = useState("");
  return (
    <FormDialog
      title={title}
      action={action}
      cancel={t("Cancel")}
      {...(isDanger && { variant: "danger" as const })}
      write={write}
      isReady={password !== ""}
      onSubmit={() => onSubmit(password)}
      onClose={onClose}
    >
      <p>{about}</p>
      <TextField
        label={t("Current password")}
        type="password"
        autoComplete="current-password"
        autoFocus
        value={password}
        onChange={setPassword}
      />
    </FormDialog>
  );
}
