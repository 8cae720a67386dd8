/** A form's frame and the complaint that stands above its button. */
import type { FormEventHandler, ReactNode } from "react";
import styles from "./form.module.css";

interface FormProps {
  /** For a button outside of it. */
  readonly id?: string;
  readonly onSubmit: FormEventHandler<HTMLFormElement>;
  readonly children: ReactNode;
}

export function Form({ id, onSubmit, children }: FormProps) {
  return (
    <form id={id} className={styles["form"]} onSubmit={onSubmit}>
      {children}
    </form>
  );
}

/** Fields one below the other, inside a part of a form. */
export function Fields({ children }: { readonly children: ReactNode }) {
  return <div className={styles["form"]}>{children}</div>;
}

export function FormError({ children }: { readonly children: ReactNode }) {
  return (
    <p className={styles["error"]} role="alert">
      {children}
    </p>
  );
}
