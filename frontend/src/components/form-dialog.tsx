/** A form in a dialog: its fields, what the server refused, and the two ways out. */
import { type ReactNode, useId } from "react";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { Form } from "./form";
import { Notice } from "./notice";

interface FormDialogProps {
  readonly title: string;
  /** What sending the form does, in a word. */
  readonly action: string;
  readonly wide?: boolean;
  readonly isBusy: boolean;
  /** Why it could not be sent. */
  readonly refusal: string | null;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const { title, action, wide = false, isBusy, refusal, onSubmit, onClose, children } = props;
  const form = useId();
  return (
    <Dialog
      open
      wide={wide}
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <Form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        {refusal !== null && <Notice tone="danger">{refusal}</Notice>}
      </Form>
    </Dialog>
  );
}
