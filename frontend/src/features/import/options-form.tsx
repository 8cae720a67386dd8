/** How a file is read: its columns given their meaning, its options, and what they come to. */
import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode, type RefObject, useEffect, useState } from "react";
import { post, read } from "../../api/client";
import type { Import, ImportCause, ImportColumn, ImportFormat, ImportOption } from "../../api/schema";
import { Button } from "../../components/button";
import { Choice, Form, Submit, TextField } from "../../components/form";
import { More } from "../../components/list";
import { useWrite } from "../../components/use-write";
import { capitalized } from "../../lib/lists";
import { formatCount } from "../../lib/numbers";
import { isRecord } from "../../lib/storage";
import { importQuery } from "./imports";
import { groupCauses } from "./states";
import { inOrder, isSettingOfProblems, recommendedChoice, settingOf } from "./warnings";

interface SettingsProps {
  readonly slug: string;
  readonly found: Import;
  /** Whether something was changed that the files were not checked by. */
  readonly isChanged: boolean;
  readonly onChanged: (isChanged: boolean) => void;
  /** The id of the field that was changed last, which has the keyboard again once the files are checked. */
  readonly lastChanged: RefObject<string>;
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

function useFormats(slug: string): readonly ImportFormat[] {
  const formats = read("/api/projects/{slug}/import-formats", { slug });
  return useQuery({ ...formats, staleTime: Infinity }).data ?? [];
}

/** By what the files are read; a change has them checked again. */
export function useFileSettings({ slug, found, isChanged, onChanged, lastChanged }: SettingsProps) {
  const formats = useFormats(slug);
  useEffect(() => {
    const field = document.getElementById(lastChanged.current);
    // The form was away while the files were checked; whoever went elsewhere meanwhile stays there.
    if (!field || document.activeElement !== document.body) return;
    showField(field);
  }, [lastChanged]);
  const [key, setKey] = useState(found.format ?? "");
  const [choices, setChoices] = useState(() => textChoices(found.options));
  const [mapping, setMapping] = useState(() => mappingOf(found.options));
  const check = useWrite(
    (body: RecheckBody) => post("/api/projects/{slug}/imports/{id}/check", { slug, id: found.id }, body),
    { keeps: importQuery(slug, found.id).queryKey, onDone: () => onChanged(false) },
  );
  const format = formats.find((candidate) => candidate.key === key);
  const checkBy = (wanted: Partial<Chosen>, field = document.activeElement?.id ?? "") => {
    const all = { key, choices, mapping, ...wanted };
    lastChanged.current = field;
    setKey(all.key);
    setChoices(all.choices);
    setMapping(all.mapping);
    onChanged(true);
    check.mutate({ format: all.key, options: optionsWith(all.choices, all.mapping) });
  };
  const checkChanged = () => isChanged && checkBy({});
  const typeChoice = (name: string, value: string) => {
    setChoices((before) => ({ ...before, [name]: value }));
    onChanged(true);
  };
  const typeMeaning = (column: string, meaning: string) => {
    setMapping((before) => ({ ...before, [column]: meaning }));
    onChanged(true);
  };
  const besideCause = settingsBesideCauses(found, format);
  return {
    ...{ found, formats, format, key, choices, mapping, check, besideCause },
    ...{ checkBy, checkChanged, typeChoice, typeMeaning },
  };
}

export type FileSettings = ReturnType<typeof useFileSettings>;

/** The settings with values to choose from, by the first cause that each is about. */
function settingsBesideCauses(
  found: Pick<Import, "causes">,
  format: ImportFormat | undefined,
): ReadonlyMap<ImportCause, ImportOption> {
  const beside = new Map<ImportCause, ImportOption>();
  const placed = new Set<string>();
  for (const { first } of inOrder(groupCauses(found.causes))) {
    const option = format?.options.find(({ name }) => name === settingOf(first.code));
    if (!option || option.choices.length === 0 || placed.has(option.name)) continue;
    placed.add(option.name);
    beside.set(first, option);
  }
  return beside;
}

function fieldOf({ name, ...option }: ImportOption, settings: FileSettings) {
  const { choices, checkBy, checkChanged, typeChoice } = settings;
  return {
    option: { name, ...option },
    value: choices[name] ?? option.default,
    // Not every way to choose gives the field the keyboard.
    onChoose: (value: string) => checkBy({ choices: { ...choices, [name]: value } }, fieldId(name)),
    onType: (value: string) => typeChoice(name, value),
    onTyped: checkChanged,
  };
}

export function OptionsForm({ settings }: { readonly settings: FileSettings }) {
  const { found, formats, format, key, check, besideCause, checkBy } = settings;
  const understood = understoodColumns(found);
  const placed = new Set([...besideCause.values()].map(({ name }) => name));
  const own = format?.options.filter(({ name }) => !placed.has(name)) ?? [];
  const asked = own.filter((option) => isAskedAbout(found, option));
  const choiceField = (option: ImportOption) => (
    <ChoiceField
      key={`${key} ${option.name}`}
      hint={<HelpLines help={option.help} />}
      {...fieldOf(option, settings)}
    />
  );
  return (
    <Form onSubmit={() => checkBy({})}>
      <p className="soft">When you change a setting, Assay checks the files again.</p>
      <Choice
        label="File format"
        hint={format?.summary}
        value={key}
        options={formats.map((option) => ({ value: option.key, name: option.name }))}
        onChange={(key) => checkBy({ key, choices: {} })}
      />
      {!hasUnknownColumns(found) && <ColumnsToMap settings={settings} />}
      {asked.map(choiceField)}
      {understood.length > 0 && (
        <More summary={`Recognized columns (${formatCount(understood.length)})`}>
          <div className="fields">
            {understood.map((column) => (
              <ColumnField
                key={column.name}
                {...columnFieldOf(column.name, settings)}
                hint={valueWords(column)}
                unsaid={`${understoodAs(column)} (based on its name)`}
              />
            ))}
          </div>
        </More>
      )}
      <More summary="More options">
        <div className="fields">{own.filter((option) => !asked.includes(option)).map(choiceField)}</div>
      </More>
      <Submit write={check}>Check files again</Submit>
    </Form>
  );
}

/** What the columns mean that nobody knows, or that somebody explained. */
export function ColumnsToMap({ settings }: { readonly settings: FileSettings }) {
  const { found } = settings;
  return columnsToMap(found).map((column) => {
    const seen = found.columns.find(({ name }) => name === column);
    return (
      <ColumnField
        key={column}
        {...columnFieldOf(column, settings)}
        hint={(seen && valueWords(seen)) ?? wordsOnColumn(found, column)}
        unsaid="Unknown"
      />
    );
  });
}

/** Whether columns nobody knows are why the files cannot be imported: then they are explained there. */
export function hasUnknownColumns(found: Pick<Import, "causes">): boolean {
  return found.causes.some(({ code }) => code === UNKNOWN_COLUMN);
}

export const UNKNOWN_COLUMN = "unknown_column";

function columnFieldOf(column: string, settings: FileSettings) {
  const { mapping, checkBy, checkChanged, typeMeaning } = settings;
  return {
    column,
    meaning: mapping[column] ?? "",
    onChoose: (meaning: string) => checkBy({ mapping: { ...mapping, [column]: meaning } }),
    onType: (meaning: string) => typeMeaning(column, meaning),
    onTyped: checkChanged,
  };
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
      <Choice
        label={columnLabel(column)}
        hint={hint}
        value={meaningOf(meaning)}
        options={MEANINGS}
        onChange={(value) => onChoose(chosenMeaning(value, column))}
        empty={unsaid}
      />
      {system !== null && (
        <TextField
          label={`System name in “${column}”`}
          value={system}
          onChange={(name) => onType(`prediction:${name}`)}
          onBlur={onTyped}
        />
      )}
    </>
  );
}

/** A name with “*” stands for several columns, which are explained at once. */
function columnLabel(column: string): string {
  if (column === "*") return "Content of all other columns";
  return column.includes("*") ? `Content of all “${column}” columns` : `Content of column “${column}”`;
}

interface ChoiceFieldProps {
  readonly option: ImportOption;
  readonly hint?: ReactNode;
  readonly value: string;
  readonly onChoose: (value: string) => void;
  readonly onType: (value: string) => void;
  /** The field is left: what was typed is meant. */
  readonly onTyped: () => void;
}

function ChoiceField({ option, hint, value, onChoose, onType, onTyped }: ChoiceFieldProps) {
  const common = { id: fieldId(option.name), label: settingName(option.name), hint, value };
  if (option.choices.length === 0) {
    return <TextField {...common} onChange={onType} onBlur={onTyped} />;
  }
  return (
    <Choice
      {...common}
      options={option.choices.map((choice) => ({ value: choice, name: choiceName(option, choice) }))}
      onChange={onChoose}
    />
  );
}

function choiceName({ name, default: usual }: ImportOption, choice: string): string {
  const words = choice.replaceAll("_", " ");
  return choice === recommendedChoice(name, usual) ? `${words} (recommended)` : words;
}

/** What an option is for; lines below say when to choose which value. */
export function HelpLines({ help }: { readonly help: string }) {
  return help.split("\n").map((line, place) => (
    <Fragment key={line}>
      {place > 0 && <br />}
      {line}
    </Fragment>
  ));
}

const MEANINGS = [
  { value: "question", name: "Question" },
  { value: "gold", name: "Gold answer" },
  { value: "prediction", name: "Answer (one system)" },
  { value: "prediction:", name: "Answer (one column per system)" },
  { value: "system", name: "System name" },
  { value: "id", name: "Question ID" },
  { value: "dataset", name: "Data set" },
  { value: "tags", name: "Tags" },
  { value: "reference_count", name: "Number of annotators who gave a gold answer" },
  { value: "vote", name: "Vote (an annotator’s label)" },
  { value: "rater", name: "Annotator who voted" },
  { value: "answerable", name: "Whether there is an answer (true or false)" },
  { value: "unanswerable", name: "Whether there is no answer (true or false)" },
  { value: "confidence", name: "Confidence" },
  { value: "passages", name: "Passages (given with the question)" },
  { value: "retrieved", name: "Passages (retrieved by the system)" },
  { value: "metadata", name: "Other metadata" },
  { value: "ignore", name: "Ignore column" },
] as const;

const OF_SYSTEM = "prediction:";

type Mapping = Readonly<Record<string, string>>;

function mappingOf(options: Readonly<Record<string, unknown>>): Mapping {
  const map = options["map"];
  if (!isRecord(map)) return {};
  return Object.fromEntries(Object.entries(map).map(([column, meaning]) => [column, String(meaning)]));
}

/** The meaning chosen for a column, without the name of its system. */
export function meaningOf(meaning: string): string {
  return meaning.startsWith(OF_SYSTEM) ? OF_SYSTEM : meaning;
}

/** The system whose answers a column holds, or null where it holds no system's own. */
export function systemOf(meaning: string): string | null {
  return meaning.startsWith(OF_SYSTEM) ? meaning.slice(OF_SYSTEM.length) : null;
}

/** What a column means once a meaning is chosen; a system's own answers are its who the column is named after. */
export function chosenMeaning(meaning: string, column: string): string {
  if (meaning !== OF_SYSTEM) return meaning;
  // Of several columns each is named after itself.
  return column.includes("*") ? "prediction" : `${OF_SYSTEM}${column}`;
}

/** What was said of a column that nobody knows, with a value of it. */
function wordsOnColumn(found: Pick<Import, "problems">, column: string): string | undefined {
  return found.problems.find((each) => each.code === UNKNOWN_COLUMN && each.column === column)?.message;
}

/** Columns a person may have to explain: those already explained, those a problem names, the other unknown ones. */
export function columnsToMap(found: Pick<Import, "columns" | "problems" | "options">): string[] {
  const named = found.problems
    .filter(({ code, column }) => code === UNKNOWN_COLUMN && column)
    .map(({ column }) => column ?? "");
  const unknown = found.columns.filter(({ meaning }) => meaning === "").map(({ name }) => name);
  return [...new Set([...Object.keys(mappingOf(found.options)), ...named, ...unknown])];
}

/** Columns whose names say what they mean, unless a person has said otherwise already. */
export function understoodColumns(found: Pick<Import, "columns" | "problems" | "options">): ImportColumn[] {
  const asked = new Set(columnsToMap(found));
  return found.columns.filter(({ name, meaning }) => meaning !== "" && !asked.has(name));
}

/** What the name of a column was taken to mean. */
export function understoodAs({ meaning, system }: Pick<ImportColumn, "meaning" | "system">): string {
  if (system !== "") return meaning === "vote" ? `Vote by “${system}”` : `Answer by “${system}”`;
  return MEANINGS.find(({ value }) => value === meaning)?.name ?? "Unknown";
}

/** The first values of a column, by which people know it sooner than by its name. */
export function valueWords({ values }: Pick<ImportColumn, "values">): string {
  if (values.length === 0) return "This column is empty in the first rows.";
  return `Contains ${values.map((value) => `“${value}”`).join(", ")}`;
}

/** Whether what was found asks for this choice, or it was made already; these stand before the others. */
export function isAskedAbout(
  found: Pick<Import, "causes" | "options">,
  { name, default: unset }: Pick<ImportOption, "name" | "default">,
): boolean {
  if (!isSettingOfProblems(name)) return false;
  const isMade = (found.options[name] ?? unset) !== unset;
  return isMade || found.causes.some(({ code }) => settingOf(code) === name);
}

/** What settings are called whose keys, as commands have them, are no words that people know. */
const SETTING_NAMES: Readonly<Record<string, string>> = {
  booleans: "true and false",
  choice: "field with votes",
  gold_kind: "type of gold answers",
  gold_separator: "separator of gold answers",
  labels: "meaning of votes",
  list_prediction: "lists of predictions",
  mojibake: "garbled text",
  quoting: "quotation marks",
  recognize: "recognize formats",
  rows_at: "path to rows",
};

export function settingName(name: string): string {
  return capitalized(SETTING_NAMES[name] ?? name.replaceAll("_", " "));
}

/** Give a field the keyboard, wherever it is folded away. */
function showField(field: HTMLElement | null): void {
  let fold = field?.closest("details");
  while (fold) {
    fold.open = true;
    fold = fold.parentElement?.closest("details");
  }
  field?.focus();
}

export function showSetting(name: string): void {
  showField(document.getElementById(fieldId(name)));
}

interface SettingButtonProps {
  readonly settings: FileSettings;
  readonly code: string;
}

/** Leads from a problem to the setting that changes what is done about it, where the format has one. */
export function SettingButton({ settings, code }: SettingButtonProps) {
  const name = settingOf(code);
  if (name === undefined || !settings.format?.options.some((option) => option.name === name)) return null;
  return (
    <div>
      <Button size="small" onClick={() => showSetting(name)}>
        {`Change “${settingName(name)}”`}
      </Button>
    </div>
  );
}

interface SettingChoiceProps {
  readonly option: ImportOption;
  readonly settings: FileSettings;
}

/** A setting beside the problem that it is about; what speaks for each value is told there. */
export function SettingChoice({ option, settings }: SettingChoiceProps) {
  return <ChoiceField {...fieldOf(option, settings)} />;
}

function fieldId(name: string): string {
  return `setting-${name}`;
}

/** The options to check by: choices that were made, and the mapping where there is one. */
export function optionsWith(choices: Mapping, mapping: Mapping): Record<string, unknown> {
  const chosen = Object.entries(mapping).filter(([, meaning]) => meaning !== "" && meaning !== OF_SYSTEM);
  return { ...choices, ...(chosen.length > 0 && { map: Object.fromEntries(chosen) }) };
}
