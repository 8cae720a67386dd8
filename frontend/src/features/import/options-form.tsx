/** How files are read: their form, what unknown columns mean, and the form's own choices. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { post, read } from "../../api/client";
import type { Import, ImportOption } from "../../api/contract";
import { messageOf } from "../../api/error";
import { importQuery } from "../../api/imports";
import { Button } from "../../components/button";
import { Select, TextField } from "../../components/field";
import { More } from "../../components/more";
import { Notice } from "../../components/notice";
import { formatCount } from "../../lib/numbers";
import styles from "./import.module.css";
import {
  chosenMeaning,
  columnsToMap,
  isAskedAbout,
  type Mapping,
  mappingOf,
  meaningOf,
  MEANINGS,
  optionsWith,
  systemOf,
  understoodAs,
  understoodColumns,
  valueWords,
  wordsOnColumn,
} from "./mapping";

interface OptionsFormProps {
  readonly slug: string;
  readonly found: Import;
  /** Whether something was changed that the files were not checked by. */
  readonly isChanged: boolean;
  readonly onChanged: (isChanged: boolean) => void;
}

interface Chosen {
  readonly key: string;
  readonly choices: Record<string, string>;
  readonly mapping: Mapping;
}

interface RecheckBody {
  readonly format?: string;
  readonly options: Record<string, unknown>;
}

function textChoices(options: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

export function OptionsForm({ slug, found, isChanged, onChanged }: OptionsFormProps) {
  const queryClient = useQueryClient();
  const formats =
    useQuery({ ...read("/api/projects/{slug}/import-formats", { slug }), staleTime: Infinity }).data ?? [];
  const [key, setKey] = useState(found.format ?? "");
  const [choices, setChoices] = useState(() => textChoices(found.options));
  const [mapping, setMapping] = useState(() => mappingOf(found.options));
  const check = useMutation({
    mutationFn: (body: RecheckBody) =>
      post("/api/projects/{slug}/imports/{id}/check", { slug, id: found.id }, body),
    onSuccess: (after) => {
      onChanged(false);
      queryClient.setQueryData(importQuery(slug, found.id).queryKey, after);
    },
  });
  const format = formats.find((candidate) => candidate.key === key);
  const columns = columnsToMap(found);
  const understood = understoodColumns(found);
  const checkBy = (wanted: Partial<Chosen>) => {
    const all = { key, choices, mapping, ...wanted };
    setKey(all.key);
    setChoices(all.choices);
    setMapping(all.mapping);
    onChanged(true);
    check.mutate({ format: all.key, options: optionsWith(all.choices, all.mapping) });
  };
  const asked = format?.options.filter(({ name }) => isAskedAbout(found, name)) ?? [];
  const choiceField = (option: ImportOption) => (
    <ChoiceField
      key={`${key} ${option.name}`}
      option={option}
      value={choices[option.name] ?? option.default}
      onChoose={(value) => checkBy({ choices: { ...choices, [option.name]: value } })}
      onType={(value) => {
        setChoices((before) => ({ ...before, [option.name]: value }));
        onChanged(true);
      }}
      onTyped={() => isChanged && checkBy({})}
    />
  );
  const columnField = (column: string, hint: string | undefined, unsaid: string) => (
    <ColumnField
      key={column}
      column={column}
      hint={hint}
      unsaid={unsaid}
      meaning={mapping[column] ?? ""}
      onChoose={(meaning) => checkBy({ mapping: { ...mapping, [column]: meaning } })}
      onType={(meaning) => {
        setMapping((before) => ({ ...before, [column]: meaning }));
        onChanged(true);
      }}
      onTyped={() => isChanged && checkBy({})}
    />
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    checkBy({});
  };
  return (
    <form className={styles["options"]} onSubmit={submit}>
      <Select
        label="Form of the files"
        hint={format?.summary}
        value={key}
        onChange={(event) => checkBy({ key: event.target.value, choices: {} })}
      >
        {formats.map((option) => (
          <option key={option.key} value={option.key}>
            {option.name}
          </option>
        ))}
      </Select>
      {columns.map((column) => {
        const seen = found.columns.find(({ name }) => name === column);
        return columnField(column, wordsOnColumn(found, column) ?? (seen && valueWords(seen)), "not known");
      })}
      {asked.map(choiceField)}
      {understood.length > 0 && (
        <More summary={`Columns that were understood (${formatCount(understood.length)})`}>
          <div className={styles["options"]}>
            {understood.map((column) =>
              columnField(column.name, valueWords(column), `${understoodAs(column)} (by its name)`),
            )}
          </div>
        </More>
      )}
      <More summary="More choices">
        <div className={styles["options"]}>
          {format?.options.filter((option) => !asked.includes(option)).map(choiceField)}
        </div>
      </More>
      {check.isError && <Notice tone="danger">{messageOf(check.error)}</Notice>}
      <div className={styles["actions"]}>
        <Button type="submit" busy={check.isPending}>
          Check again
        </Button>
      </div>
    </form>
  );
}

interface ColumnFieldProps {
  readonly column: string;
  readonly hint: string | undefined;
  /** What the column is taken for while nobody says what it is. */
  readonly unsaid: string;
  readonly meaning: string;
  readonly onChoose: (meaning: string) => void;
  readonly onType: (meaning: string) => void;
  readonly onTyped: () => void;
}

function ColumnField({ column, hint, unsaid, meaning, onChoose, onType, onTyped }: ColumnFieldProps) {
  const system = systemOf(meaning);
  return (
    <>
      <Select
        label={`Column “${column}” is`}
        hint={hint}
        value={meaningOf(meaning)}
        onChange={({ target }) => onChoose(chosenMeaning(target.value, column))}
      >
        <option value="">{unsaid}</option>
        {MEANINGS.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </Select>
      {system !== null && (
        <TextField
          label={`Name of the system in “${column}”`}
          value={system}
          onChange={({ target }) => onType(`prediction:${target.value}`)}
          onBlur={onTyped}
        />
      )}
    </>
  );
}

interface ChoiceFieldProps {
  readonly option: ImportOption;
  readonly value: string;
  readonly onChoose: (value: string) => void;
  readonly onType: (value: string) => void;
  /** The field is left: what was typed is meant. */
  readonly onTyped: () => void;
}

function ChoiceField({ option, value, onChoose, onType, onTyped }: ChoiceFieldProps) {
  const words = option.name.replaceAll("_", " ");
  const common = { label: words.charAt(0).toUpperCase() + words.slice(1), hint: option.help, value };
  if (option.choices.length === 0) {
    return <TextField {...common} onChange={(event) => onType(event.target.value)} onBlur={onTyped} />;
  }
  return (
    <Select {...common} onChange={(event) => onChoose(event.target.value)}>
      {option.choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice.replaceAll("_", " ")}
        </option>
      ))}
    </Select>
  );
}
