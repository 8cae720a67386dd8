/** Choices of questions and systems; each appears only where the study has something to choose from. */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { read } from "../api/client";
import type { FilterChoices } from "../api/schema";
import { useProject } from "../api/project";
import { Button } from "../components/button";
import { Choice } from "../components/form";
import { formatCount } from "../lib/numbers";
import type { SearchState } from "../lib/search-state";
import styles from "./question-filter.module.css";

interface QuestionFilterFieldsProps {
  readonly search: SearchState;
  /** What a page lets one choose besides. */
  readonly children?: ReactNode;
  /** How many of these are chosen. */
  readonly besides?: number;
}

export function QuestionFilterFields({ search, children, besides = 0 }: QuestionFilterFieldsProps) {
  const project = useProject();
  const { data: choices } = useQuery(read("/api/projects/{slug}/filters", { slug: project.slug }));
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const selects = choices ? selectsOf(choices) : [];
  if (selects.length === 0) return children;
  const chosen = besides + selects.filter(({ key }) => search.read(key) !== undefined).length;
  return (
    <>
      <Button
        size="small"
        className={styles["fold"] ?? ""}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        {chosen > 0 ? `Filter (${formatCount(chosen)})` : "Filter"}
      </Button>
      <div
        id={id}
        className={styles["filter"]}
        role="group"
        aria-label="Questions and systems included"
        data-open={isOpen}
      >
        {selects.map(({ key, label, everything, options, hint }) => (
          <Choice
            key={key}
            label={label}
            hint={search.read(key) && hint}
            value={search.read(key)}
            options={options}
            onChange={(value) => search.write({ [key]: value })}
            empty={everything}
          />
        ))}
        {children}
      </div>
    </>
  );
}

/** EfficientQA's second condition, which few files let one ask for. */
const NO_REFERENCES =
  "The imported files do not say how many of the data set’s annotators gave a gold answer, so this condition is ignored.";

function selectsOf({ datasets, tags, has_ambiguous, knows_references, has_sizes }: FilterChoices) {
  const unambiguous = knows_references
    ? "Not flagged as ambiguous by any annotator, and with gold answers from at least 3 of the data set’s annotators"
    : "Not flagged as ambiguous by any annotator";
  const same = (value: string) => ({ value, name: value });
  return [
    {
      key: "questions",
      label: "Questions",
      everything: "All",
      options: has_ambiguous ? [{ value: "unambiguous", name: unambiguous }] : [],
      hint: knows_references ? undefined : NO_REFERENCES,
    },
    { key: "dataset", label: "Data set", everything: "Any", options: datasets.map(same), hint: undefined },
    { key: "tag", label: "Tag", everything: "Any", options: tags.map(same), hint: undefined },
    {
      key: "track",
      label: "System size",
      everything: "Any",
      options: has_sizes ? TRACKS : [],
      hint: undefined,
    },
  ].filter(({ options }) => options.length > 0);
}

export interface QuestionFilter {
  /** Left out, scores are over the questions for which they are best, and all else over the judged questions. */
  readonly scope?: "sample" | "entire";
  readonly part: "all" | "unambiguous";
  readonly dataset: string;
  readonly tag: string;
  readonly largest_bytes?: number;
  readonly least_share?: number;
}

const GIB = 1_073_741_824;

/** The tracks of EfficientQA: the most a system may weigh, or the least it must have right. */
const TRACKS = [
  { value: "6gib", name: "Up to 6 GiB", limits: { largest_bytes: 6 * GIB } },
  { value: "500mib", name: "Up to 500 MiB", limits: { largest_bytes: 500 * 1_048_576 } },
  { value: "smallest", name: "Smallest system with at least 25% correct", limits: { least_share: 0.25 } },
] as const;

/** Whether systems are ranked by their size. */
export function isBySize(filter: QuestionFilter): boolean {
  return filter.least_share !== undefined;
}

export function readFilter(search: SearchState): QuestionFilter {
  const track = TRACKS.find(({ value }) => value === search.read("track"));
  const scope = search.read("scope");
  return {
    ...(scope !== undefined && { scope: scope === "entire" ? "entire" : "sample" }),
    part: search.read("questions") === "unambiguous" ? "unambiguous" : "all",
    dataset: search.read("dataset") ?? "",
    tag: search.read("tag") ?? "",
    ...track?.limits,
  };
}
