/** How files are read: their form, what unknown columns mean, and the form's own choices. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Import, ImportOption } from "../../api/contract";
import { messageOf } from "../../api/error";
import { importFormatsQuery } from "../../api/imports/formats";
import { importQuery } from "../../api/imports/import";
import { recheckImport } from "../../api/imports/recheck-import";
import { Button } from "../../components/button";
import { Select, TextField } from "../../components/field";
import { More } from "../../components/more";
import { Notice } from "../../components/notice";
import styles from "./import.module.css";
import { columnsToMap, mappingOf, MEANINGS, optionsWith } from "./mapping";

interface OptionsFormProps {
  readonly slug: string;
  readonly found: Import;
}

function textChoices(options: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

export function OptionsForm({ slug, found }: OptionsFormProps) {
  const queryClient = useQueryClient();
  const formats = useQuery(importFormatsQuery(slug)).data ?? [];
  const [key, setKey] = useState(found.format ?? "");
  const [choices, setChoices] = useState(() => textChoices(found.options));
  const [mapping, setMapping] = useState(() => mappingOf(found.options));
  const check = useMutation({
    mutationFn: () => recheckImport(slug, found.id, { format: key, options: optionsWith(choices, mapping) }),
    onSuccess: (after) => queryClient.setQueryData(importQuery(slug, found.id).queryKey, after),
  });
  const format = formats.find((candidate) => candidate.key === key);
  const columns = columnsToMap(found);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check.mutate();
  };
  return (
    <form className={styles["options"]} onSubmit={submit}>
      <Select
        label="Form of the files"
        hint={format?.summary}
        value={key}
        onChange={(event) => {
          setKey(event.target.value);
          setChoices({});
        }}
      >
        {formats.map((option) => (
          <option key={option.key} value={option.key}>
            {option.name}
          </option>
        ))}
      </Select>
      {columns.map((column) => (
        <Select
          key={column}
          label={`Column “${column}” is`}
          value={mapping[column] ?? ""}
          onChange={(event) => setMapping((before) => ({ ...before, [column]: event.target.value }))}
        >
          <option value="">not known</option>
          {MEANINGS.map((meaning) => (
            <option key={meaning.value} value={meaning.value}>
              {meaning.name}
            </option>
          ))}
        </Select>
      ))}
      <More summary="More choices">
        <div className={styles["options"]}>
          {format?.options.map((option) => (
            <ChoiceField
              key={`${key} ${option.name}`}
              option={option}
              value={choices[option.name] ?? option.default}
              onChange={(value) => setChoices((before) => ({ ...before, [option.name]: value }))}
            />
          ))}
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

interface ChoiceFieldProps {
  readonly option: ImportOption;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ChoiceField({ option, value, onChange }: ChoiceFieldProps) {
  const words = option.name.replaceAll("_", " ");
  const common = { label: words.charAt(0).toUpperCase() + words.slice(1), hint: option.help, value };
  if (option.choices.length === 0) {
    return <TextField {...common} onChange={(event) => onChange(event.target.value)} />;
  }
  return (
    <Select {...common} onChange={(event) => onChange(event.target.value)}>
      {option.choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </Select>
  );
}
