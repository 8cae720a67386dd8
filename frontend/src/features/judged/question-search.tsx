/** Words of the question to look for; they are written in the address. */
import { type FormEvent, useEffect, useState } from "react";
import { Button } from "../../components/button";
import { TextField } from "../../components/field";
import { t } from "../../lib/i18n/t";
import type { SearchState } from "../../lib/search-state";
import styles from "./judged.module.css";

export function QuestionSearch({ search }: { readonly search: SearchState }) {
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
        label={t("Search your questions")}
        type="search"
        dir="auto"
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit">{t("Search")}</Button>
    </form>
  );
}
