/** A secret that the server shows only once, to be copied before the dialog is closed. */
import { t } from "../lib/i18n/t";
import { Button, CopyButton } from "./button";
import { Dialog } from "./dialog";
import { TextField } from "./form";

interface SecretDialogProps {
  readonly title: string;
  /** What to do with it, and that it is not shown again. */
  readonly about: string;
  readonly label: string;
  /** What is copied, for the button's words: "Copy token". */
  readonly name: string;
  readonly secret: string;
  readonly onClose: () => void;
}

export function SecretDialog({ title, about, label, name, secret, onClose }: SecretDialogProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t("Done")}
        </Button>
      }
    >
      <p>{about}</p>
      <TextField label={label} readOnly value={secret} />
      <p>
        <CopyButton text={secret} name={name} />
      </p>
    </Dialog>
  );
}
