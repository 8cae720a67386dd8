/** What the table of answers is narrowed by: search and state at hand, the rest behind one button. */
import { useEffect, useState } from "react";
import type { AnswerChoices } from "../../api/schema";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { Choice, type Option, SearchForm, TextField } from "../../components/form";
import { explained } from "../../components/term";
import { SOURCE_OPTIONS } from "../../domain/decisions";
import { FLAGS } from "../../domain/flags";
import type { SearchState } from "../../lib/search-state";
import styles from "./explorer.module.css";
import {
  type Narrowing,
  NOT_NARROWED,
  type Part,
  partsOf,
  PEOPLE,
  RATER,
  saysOf,
  saysText,
  VERDICTS,
} from "./narrowing";
import { BETWEEN } from "./which-columns";
import { ANSWER_STATES } from "./which-answers";

interface FilterProps {
  readonly search: SearchState;
  /** Undefined while they are read. */
  readonly choices: AnswerChoices | undefined;
}

export function AnswerFilter({ search, choices }: FilterProps) {
  const { labels } = useProject();
  const turn = turning(search);
  return (
    <>
      <SearchForm
        search={{ ...search, write: turn }}
        label="Search questions, answers, comments, and reasons"
      >
        <Choice
          label="Status"
          value={search.read("state")}
          options={ANSWER_STATES}
          onChange={(state) => turn({ state })}
          empty="Any"
        />
        <Choice
          label="Decision"
          value={search.read("label")}
          options={labels.map(({ key, name }) => ({ value: key, name }))}
          onChange={(label) => turn({ label })}
          empty="Any"
        />
      </SearchForm>
      <details className={styles["more"]}>
        <summary>More filters</summary>
        {choices && <MoreFilters search={search} choices={choices} />}
      </details>
      <Parts parts={partsOf(search, choices)} search={search} />
    </>
  );
}

/** Writes into the address, and begins with the first page: what was the next of one list is none of another. */
function turning({ write }: SearchState): SearchState["write"] {
  return (changes) => write({ ...changes, cursor: undefined });
}

const WHOSE_PSEUDONYMS = "The Annotators page shows whose pseudonyms these are.";

function MoreFilters({ search, choices }: { readonly search: SearchState; readonly choices: AnswerChoices }) {
  const fields = fieldsOf(choices).filter(({ options }) => options.length > 0);
  const turn = turning(search);
  return (
    <div className={styles["filters"]}>
      {fields.map(({ key, label, options }) => (
        <Choice
          key={key}
          label={label}
          hint={key === "judged_by" && WHOSE_PSEUDONYMS}
          value={search.read(key)}
          options={options}
          onChange={(value) => turn({ [key]: value })}
          empty="Any"
        />
      ))}
      <Words search={search} name="min_words" label="Minimum words" />
      <Words search={search} name="max_words" label="Maximum words" />
      <VerdictField search={search} columns={speakersOf(choices)} />
      <DifferField search={search} columns={[...speakersOf(choices), ...ratersOf(choices)]} />
      {choices.systems !== null && choices.systems.length > 1 && (
        <OnlyRightField search={search} choices={choices} />
      )}
    </div>
  );
}

function fieldsOf({ systems, datasets, tags, flags, sources, raters }: AnswerChoices) {
  const same = (value: string) => ({ value, name: value });
  return [
    { key: "given_by", label: "System", options: systemOptions(systems) },
    {
      key: "source",
      label: "Decision source",
      options: SOURCE_OPTIONS.filter(({ value }) => sources.includes(value)),
    },
    { key: "dataset", label: "Data set", options: datasets.map(same) },
    { key: "tag", label: "Question tag", options: tags.map(same) },
    {
      key: "flag",
      label: "Question flag",
      options: FLAGS.filter(({ value }) => flags.includes(value)),
    },
    { key: "judged_by", label: "Judged by", options: (raters ?? []).map(same) },
  ] as const satisfies readonly { key: Narrowing; label: string; options: readonly Option[] }[];
}

function systemOptions(systems: AnswerChoices["systems"]): readonly Option[] {
  return (systems ?? []).map(({ id, name }) => ({ value: id, name }));
}

/** All that say something of an answer, people first. */
function speakersOf({ judges }: AnswerChoices): readonly Option[] {
  return [{ value: PEOPLE, name: "People" }, ...judges.map(({ id, name }) => ({ value: id, name }))];
}

/** Annotators by their votes, for those who may see them. */
function ratersOf({ raters }: AnswerChoices): readonly Option[] {
  return (raters ?? []).map((pseudonym) => ({ value: `${RATER}${pseudonym}`, name: pseudonym }));
}

interface WordsProps {
  readonly search: SearchState;
  readonly name: "min_words" | "max_words";
  readonly label: string;
}

function Words({ search, name, label }: WordsProps) {
  const stored = search.read(name) ?? "";
  return (
    <TextField
      // What the address says after "back" is typed again.
      key={stored}
      label={label}
      inputMode="numeric"
      pattern="\d*"
      maxLength={5}
      defaultValue={stored}
      onBlur={({ target }) => /^\d*$/.test(target.value) && turning(search)({ [name]: target.value })}
      onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
    />
  );
}

interface ColumnsProps {
  readonly search: SearchState;
  readonly columns: readonly Option[];
}

/** One more thing that somebody says; what was said before stays, each with a button that takes it back. */
function VerdictField({ search, columns }: ColumnsProps) {
  const said = saysOf(search.read("said"));
  const options = columns.flatMap(({ value, name }) =>
    VERDICTS.filter(({ value: verdict }) => value !== PEOPLE || verdict !== "unscored").map((verdict) => ({
      value: `${value}${BETWEEN}${verdict.value}`,
      name: value === PEOPLE ? peopleWords(verdict.value) : `${name} ${verdict.name}`,
    })),
  );
  return (
    <Choice
      label="Verdict"
      explains={explained("verdict")}
      value=""
      options={options}
      onChange={(text) => {
        const others = said.filter(({ column }) => column !== text.split(BETWEEN)[0]);
        turning(search)({ said: saysText([...others, ...saysOf(text)]) });
      }}
      empty={said.length === 0 ? "Any" : "Add another verdict"}
    />
  );
}

function peopleWords(verdict: string): string {
  return verdict === "none"
    ? "People have not decided"
    : `People ${verdict === "accepted" ? "accept" : "reject"}`;
}

function DifferField({ search, columns }: ColumnsProps) {
  const [first = "", second = ""] = search.read("differing")?.split(BETWEEN) ?? [];
  // The address says it once both are chosen.
  const [chosen, choose] = useState(first);
  useEffect(() => choose(first), [first]);
  const write = (pair: readonly string[]) =>
    turning(search)({ differing: pair.every(Boolean) ? pair.join(BETWEEN) : undefined });
  if (columns.length < 2) return null;
  return (
    <>
      <Choice
        label="Disagreement between"
        hint={columns.some(({ value }) => value.startsWith(RATER)) && WHOSE_PSEUDONYMS}
        value={chosen}
        options={columns.filter(({ value }) => value !== second)}
        onChange={(next = "") => {
          choose(next);
          if (second !== "") write([next, second]);
        }}
        empty="Any"
      />
      {chosen !== "" && (
        <Choice
          label="And"
          value={second}
          options={columns.filter(({ value }) => value !== chosen)}
          onChange={(next = "") => write([chosen, next])}
          empty="Choose"
        />
      )}
    </>
  );
}

/** Two systems side by side: what both gave to the questions that only the first has right. */
function OnlyRightField({
  search,
  choices,
}: {
  readonly search: SearchState;
  readonly choices: AnswerChoices;
}) {
  const systems = systemOptions(choices.systems);
  const [right, wrong] = [search.read("only_right"), search.read("only_wrong")];
  const turn = turning(search);
  return (
    <>
      <Choice
        label="System with the correct answer"
        value={right}
        options={systems.filter(({ value }) => value !== wrong)}
        onChange={(only_right) => turn({ only_right })}
        empty="Any"
      />
      <Choice
        label="System with the incorrect answer"
        value={wrong}
        options={systems.filter(({ value }) => value !== right)}
        onChange={(only_wrong) => turn({ only_wrong })}
        empty="Any"
      />
      {right !== undefined && wrong !== undefined && (
        <Choice
          label="According to"
          value={search.read("according_to") ?? PEOPLE}
          options={speakersOf(choices)}
          onChange={(value) => turn({ according_to: value === PEOPLE ? undefined : value })}
        />
      )}
      {right !== undefined && wrong !== undefined && (
        <Button onClick={() => turn({ only_right: wrong, only_wrong: right })}>Swap systems</Button>
      )}
    </>
  );
}

/** What narrows the table now, each part with a button that takes it back. */
function Parts({ parts, search }: { readonly parts: readonly Part[]; readonly search: SearchState }) {
  if (parts.length === 0) return null;
  const turn = turning(search);
  return (
    <ul className={styles["parts"]} aria-label="Active filters">
      {parts.map(({ words, without }) => (
        <li key={words}>
          <Button size="small" onClick={() => turn(without)}>
            <span dir="auto">{words}</span>
            <span aria-hidden="true"> ×</span>
            <span className="visually-hidden">, remove this filter</span>
          </Button>
        </li>
      ))}
      {parts.length > 1 && (
        <li>
          <Button size="small" variant="quiet" onClick={() => search.write(NOT_NARROWED)}>
            Remove all filters
          </Button>
        </li>
      )}
    </ul>
  );
}
