/** Which projects, and which of their judges, are compared: kept in the address. */
import type { Evaluator, ProjectListItem } from "../../api/schema";
import type { SearchState } from "../../lib/search-state";
import styles from "./compare.module.css";

interface Option {
  readonly key: string;
  readonly name: string;
}

interface ChoiceProps {
  readonly legend: string;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

function Choice({ legend, options, chosen, onChange }: ChoiceProps) {
  const toggle = (key: string) =>
    onChange(options.map((option) => option.key).filter((own) => (own === key) !== chosen.includes(own)));
  return (
    <fieldset className={styles["choice"]}>
      <legend>{legend}</legend>
      {options.map(({ key, name }) => (
        <label key={key}>
          <input type="checkbox" checked={chosen.includes(key)} onChange={() => toggle(key)} /> {name}
        </label>
      ))}
    </fieldset>
  );
}

interface ProjectChoiceProps {
  readonly projects: readonly ProjectListItem[];
  readonly chosen: readonly string[];
  readonly search: SearchState;
}

export function ProjectChoice({ projects, chosen, search }: ProjectChoiceProps) {
  return (
    <Choice
      legend="Projects"
      options={projects.map(({ slug, name }) => ({ key: slug, name }))}
      chosen={chosen}
      onChange={(slugs) => search.write({ projects: slugs.join(",") })}
    />
  );
}

interface JudgeChoiceProps {
  readonly all: readonly Evaluator[];
  readonly shown: readonly Evaluator[];
  readonly search: SearchState;
}

export function JudgeChoice({ all, shown, search }: JudgeChoiceProps) {
  if (all.length < 2) return null;
  return (
    <Choice
      legend="Judges"
      options={all}
      chosen={shown.map(({ key }) => key)}
      onChange={(keys) => search.write({ judges: keys.length === all.length ? "" : keys.join("~") })}
    />
  );
}
