/** Which projects, and which of their judges, are compared: kept in the address. */
import type { Evaluator, ProjectListItem } from "../../api/schema";
import { Several } from "../../components/form";
import type { SearchState } from "../../lib/search-state";

interface ProjectChoiceProps {
  readonly projects: readonly ProjectListItem[];
  readonly chosen: readonly string[];
  readonly search: SearchState;
}

export function ProjectChoice({ projects, chosen, search }: ProjectChoiceProps) {
  return (
    <Several
      legend="Projects"
      options={projects.map(({ slug, name }) => ({ value: slug, name }))}
      chosen={chosen}
      onChange={(next) => {
        const slugs = projects.map(({ slug }) => slug).filter((slug) => next.includes(slug));
        search.write({ projects: slugs.join(",") });
      }}
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
    <Several
      legend="Judges"
      options={all.map(({ key, name }) => ({ value: key, name }))}
      chosen={shown.map(({ key }) => key)}
      onChange={(keys) => search.write({ judges: keys.length === all.length ? "" : keys.join("~") })}
    />
  );
}
