/** A judge's own options, made from its description; where there are many they stand aside. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { read } from "../../api/client";
import type { Judge, JudgeOption, Run } from "../../api/schema";
import { Checkbox, Choice, Fields, FormError, Select, Several, TextField } from "../../components/form";
import { More } from "../../components/list";
import { Notice } from "../../components/notice";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView, Skeleton } from "../../components/query-view";
import { explained, Term } from "../../components/term";
import { optionLabel, optionValue } from "./option-words";

const MOST_IN_SIGHT = 5;

interface JudgeOptionsProps {
  readonly judge: Judge;
  readonly texts: Readonly<Record<string, string>>;
  readonly complaint: (name: string) => string | null;
  readonly onChange: (name: string, text: string) => void;
}

export function JudgeOptions(props: JudgeOptionsProps) {
  const { judge, complaint } = props;
  const typed = judge.options.filter(isTyped);
  if (typed.length <= MOST_IN_SIGHT) return <OptionFields {...props} />;
  return (
    <More summary="More options" open={typed.some(({ name }) => complaint(name))}>
      <Fields>
        <OptionFields {...props} />
      </Fields>
    </More>
  );
}

function OptionFields({ judge, texts, complaint, onChange }: JudgeOptionsProps) {
  const defaults = defaultsOf(judge);
  return judge.options
    .filter(isTyped)
    .map((option) => (
      <OptionField
        key={option.name}
        option={option}
        value={texts[option.name] ?? defaults[option.name] ?? ""}
        error={complaint(option.name)}
        onChange={(text) => onChange(option.name, text)}
      />
    ));
}

/** Those that have a field of their own are chosen, not typed. */
function isTyped({ name }: Judge["options"][number]): boolean {
  return name !== "prompt" && name !== "members" && name !== "beside";
}

interface OptionFieldProps {
  readonly option: JudgeOption;
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (text: string) => void;
}

function OptionField({ option, value, error, onChange }: OptionFieldProps) {
  const kind = kindOf(option);
  const common = { label: optionLabel(option.name), hint: hintOf(option) };
  if (kind === "boolean") {
    return (
      <Checkbox
        {...common}
        checked={value.toLowerCase() === "true"}
        onChange={(isOn) => onChange(String(isOn))}
      />
    );
  }
  if (kind === "choice") {
    return (
      <Choice
        {...common}
        error={error}
        value={value}
        options={option.choices?.map((choice) => ({ value: choice, name: optionValue(option.name, choice) }))}
        onChange={onChange}
      />
    );
  }
  return (
    <TextField
      {...common}
      error={error}
      inputMode={kind === "number" ? "decimal" : "text"}
      value={value}
      onChange={onChange}
    />
  );
}

type OptionKind = "boolean" | "choice" | "number" | "text";

function kindOf(option: JudgeOption): OptionKind {
  if (option.choices !== null && option.choices.length > 0) return "choice";
  if (/^bool/.test(option.type)) return "boolean";
  return /^(?:int|float|number)/.test(option.type) ? "number" : "text";
}

/** The help, with the numbers that will be taken. */
export function hintOf({ help, low, high }: JudgeOption): string {
  return low === null || high === null
    ? help
    : `${help} Enter a number from ${String(low)} to ${String(high)}.`;
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? "" : String(value);
}

export function defaultsOf(judge: Judge): Readonly<Record<string, string>> {
  return Object.fromEntries(judge.options.map((option) => [option.name, textOf(option.default)]));
}

function valueOf(option: JudgeOption, text: string): unknown {
  const kind = kindOf(option);
  if (kind === "boolean") return text === "true";
  if (kind === "number" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  return text;
}

/** Only what differs from the default is sent, so that defaults stay the judge's own. */
export function valuesOf(judge: Judge, texts: Readonly<Record<string, string>>): Record<string, unknown> {
  const defaults = defaultsOf(judge);
  const changed = judge.options.filter(
    ({ name }) => texts[name] !== undefined && texts[name] !== defaults[name],
  );
  return Object.fromEntries(
    changed.map((option) => [option.name, valueOf(option, texts[option.name] ?? "")]),
  );
}

interface MemberChoiceProps {
  readonly slug: string;
  /** Ids of runs, parted by commas. */
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (members: string) => void;
}

export function MemberChoice({ slug, value, error, onChange }: MemberChoiceProps) {
  const query = useQuery(read("/api/projects/{slug}/runs", { slug }));
  const members = value.split(",").filter(Boolean);
  const nameOf = ({ id, name }: Run) =>
    members.includes(id) ? `${name} (#${members.indexOf(id) + 1})` : name;
  return (
    <QueryView query={query} loading={<Skeleton lines={3} />}>
      {(runs) => (
        <Several
          isList
          legend={<Term name="jury">Judges to combine (in order)</Term>}
          options={runs
            .filter(({ state, judge }) => state === "finished" && judge !== "jury")
            .map((run) => ({ value: run.id, name: nameOf(run), hint: run.signature }))}
          chosen={members}
          onChange={(chosen) => onChange(chosen.join(","))}
        >
          {error && <FormError>{error}</FormError>}
        </Several>
      )}
    </QueryView>
  );
}

interface BesideChoiceProps {
  readonly slug: string;
  /** The id of a run, or empty. */
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (run: string) => void;
}

/** Another judge whose verdicts are evidence for this one. */
export function BesideChoice({ slug, value, error, onChange }: BesideChoiceProps) {
  const query = useQuery(read("/api/projects/{slug}/runs", { slug }));
  const runs = query.data?.filter(({ state, judge }) => state === "finished" && judge !== "learned_memory");
  return (
    <Select
      label="Another judge’s verdicts"
      hint="Optional. This judge uses them only if they improve its agreement with people’s decisions. To find out, Assay needs at least 100 answers that people accepted and 100 that they rejected."
      error={error}
      value={value}
      onChange={onChange}
    >
      <option value="">None</option>
      {runs?.map((run) => (
        <option key={run.id} value={run.id}>
          {run.name}
        </option>
      ))}
    </Select>
  );
}

interface ConnectionChoiceProps {
  readonly slug: string;
  readonly value: string;
  readonly onChange: (id: string) => void;
}

export function ConnectionChoice({ slug, value, onChange }: ConnectionChoiceProps) {
  const query = useQuery(read("/api/projects/{slug}/connections", { slug }));
  // Where there is but one there is nothing to choose.
  const only = query.data?.length === 1 ? query.data[0]?.id : undefined;
  useEffect(() => {
    if (only !== undefined && value === "") onChange(only);
  }, [only, value, onChange]);
  return (
    <QueryView query={query} loading={<Skeleton lines={2} />}>
      {(connections) =>
        connections.length === 0 ? (
          <Notice
            title="No model is connected"
            actions={<ProjectButtonLink page="runs/connections">Connect a model</ProjectButtonLink>}
          >
            <p>This judge needs a language model. Connect one, then come back.</p>
          </Notice>
        ) : (
          <Select
            label="Connection"
            explains={explained("connection")}
            required
            value={value}
            onChange={onChange}
          >
            <option value="" disabled>
              Choose a connection
            </option>
            {connections.map((connection) => (
              <option key={connection.id} value={connection.id}>
                {connection.name} ({connection.model})
              </option>
            ))}
          </Select>
        )
      }
    </QueryView>
  );
}
