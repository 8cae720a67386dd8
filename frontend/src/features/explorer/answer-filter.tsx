/** Words to look for and the state to be in; both are written in the address. */
import { type FormEvent, useEffect, useState } from "react";
import { Button } from "../../components/button";
import { Select, TextField } from "../../components/field";
import type { SearchState } from "../../lib/search-state";
import styles from "./explorer.module.css";
import { ANSWER_STATES } from "./words";

export function AnswerFilter({ search }: { readonly search: SearchState }) {
  const stored = search.read("search") ?? "";
  const [text, setText] = useState(stored);
  useEffect(() => setText(stored), [stored]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search.write({ search: text.trim(), page: undefined });
  };
  return (
    <form className={styles["filter"]} role="search" onSubmit={submit}>
      <TextField
        label="Search any text"
        hint="Questions, gold, answers, comments, evidence, reasons"
        type="search"
        dir="auto"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Select
        label="State"
        value={search.read("state") ?? ""}
        onChange={(event) => search.write({ state: event.target.value, page: undefined })}
      >
        <option value="">Any</option>
        {ANSWER_STATES.map((state) => (
          <option key={state.value} value={state.value}>
            {state.name}
          </option>
        ))}
      </Select>
      <Button type="submit">Search</Button>
    </form>
  );
}
