/** A form's frame and the complaint that stands above its button. */
import type { FormEventHandler, ReactNode } from "react";
import styles from "./form.module.css";

interface FormProps {
  readonly onSubmit: FormEventHandler<HTMLFormElement>;
  readonly children: ReactNode;
}

export function Form({ onSubmit, children }: FormProps) {
  return (
    <form className={styles["form"]} onSubmit={onSubmit}>
      {children}
    </form>
  );
}

export function FormError({ children }: { readonly children: ReactNode }) {
  return (
    <p className={styles["error"]} role="alert">
      {children}
    </p>
  );
}
