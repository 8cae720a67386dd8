/** Words to look for, written in the address; what else narrows the list stands beside them. */
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { t } from "../lib/i18n/t";
import type { SearchState } from "../lib/search-state";
import { Button } from "./button";
import { TextField } from "./field";
import styles from "./search-form.module.css";

interface SearchFormProps {
  readonly search: SearchState;
  readonly label: string;
  readonly children?: ReactNode;
}

export function SearchForm({ search, label, children }: SearchFormProps) {
  const stored = search.read("search") ?? "";
  const [text, setText] = useState(stored);
  useEffect(() => setText(stored), [stored]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search.write({ search: text.trim(), page: undefined });
  };
  return (
    <form className={styles["search"]} role="search" onSubmit={submit}>
      <TextField
        label={label}
        type="search"
        dir="auto"
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {children}
      <Button type="submit">{t("Search")}</Button>
    </form>
  );
}
