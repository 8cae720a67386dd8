/** What is wrong with the files of an import, and what may be: by cause, or line by line. */
import { type ReactNode, useState } from "react";
import type { Import, ImportProblem } from "../../api/schema";
import { Badge, type Tone } from "../../components/badge";
import { Button } from "../../components/button";
import { More } from "../../components/list";
import { countOf, formatCount } from "../../lib/numbers";
import styles from "./import.module.css";
import {
  ColumnsToMap,
  type FileSettings,
  HelpLines,
  SettingButton,
  SettingChoice,
  settingName,
  UNKNOWN_COLUMN,
} from "./options-form";
import { type CauseGroup, groupCauses, placeWords } from "./states";
import { type Asked, askedBy, hasRecommendedDefault, inOrder, isNote, settingOf, toldOf } from "./warnings";

interface ProblemListProps {
  readonly found: Import;
  /** By which the files can be read anew; null once they are in. */
  readonly settings: FileSettings | null;
}

/** All problems by cause, so that a thousand equal lines read as one and hide no other; or the first by line. */
export function ProblemList({ found, settings }: ProblemListProps) {
  const { problems, problem_count: total } = found;
  const [byLine, setByLine] = useState(false);
  return (
    <div className="fields">
      {byLine ? (
        <ol className="ruled">
          {problems.map((problem, index) => (
            <ProblemLine key={`${index} ${problem.file} ${problem.line}`} problem={problem} />
          ))}
        </ol>
      ) : (
        <Causes found={found} settings={settings} />
      )}
      <div className={styles["actions"]}>
        <Button size="small" variant="quiet" atEdge onClick={() => setByLine(!byLine)}>
          {byLine ? "Group by cause" : "Show each line"}
        </Button>
        {byLine && total > problems.length && (
          <p className="soft-regular">
            Showing the first {formatCount(problems.length)} of {countOf(total, "problem")}.
          </p>
        )}
      </div>
    </div>
  );
}

export function notesWords(count: number): string {
  return `${countOf(count, "note")}: no action needed`;
}

/** Whoever does not open them gets what is recommended. */
function offersWords(count: number, isIn: boolean): string {
  const recommended = count === 1 ? "the recommended value" : "the recommended values";
  return `${countOf(count, "optional setting")}: ${recommended} ${isIn ? "applied" : "will apply"}`;
}

function Causes({ found, settings }: ProblemListProps) {
  const groups = inOrder(groupCauses(found.causes, found.rows_total));
  const others = groups.filter((group) => !isNote(group));
  const offers = groups.filter((group) => askedBy(group) === "offer");
  const notes = groups.filter((group) => askedBy(group) === "nothing");
  const isFolded = others.length + offers.length > 0;
  const lineOf = (group: CauseGroup) => (
    <CauseLine
      key={`${group.first.severity} ${group.first.code}`}
      group={group}
      found={found}
      help={settings?.besideCause.get(group.first)?.help ?? ""}
    >
      {settings ? (
        <Setting group={group} settings={settings} />
      ) : (
        found.state === "applied" &&
        hasRecommendedDefault(settingOf(group.first.code) ?? "") && <HowToChange code={group.first.code} />
      )}
    </CauseLine>
  );
  const listOf = (some: readonly CauseGroup[]) => <ul className="ruled">{some.map(lineOf)}</ul>;
  return (
    <>
      {others.length > 0 && listOf(others)}
      {offers.length > 0 && (
        <More summary={offersWords(offers.length, settings === null)}>{listOf(offers)}</More>
      )}
      {/* Where nothing else was found, all of this is folded. */}
      {notes.length > 0 &&
        (isFolded ? <More summary={notesWords(notes.length)}>{listOf(notes)}</More> : listOf(notes))}
    </>
  );
}

/** The setting itself beside the first cause that it is about; beside others what leads to it. */
function Setting({ group, settings }: { readonly group: CauseGroup; readonly settings: FileSettings }) {
  if (group.first.code === UNKNOWN_COLUMN) return <ColumnsToMap settings={settings} />;
  const option = settings.besideCause.get(group.first);
  return option ? (
    <SettingChoice option={option} settings={settings} />
  ) : (
    <SettingButton settings={settings} code={group.first.code} />
  );
}

function HowToChange({ code }: { readonly code: string }) {
  return (
    <p className="soft-regular">
      To change “{settingName(settingOf(code) ?? "")},” undo this import and import the files again.
    </p>
  );
}

interface CauseLineProps {
  readonly group: CauseGroup;
  readonly found: Import;
  /** What speaks for each value of the setting beside it; "" where there is none. */
  readonly help: string;
  /** What can be done about it. */
  readonly children: ReactNode;
}

function CauseLine(props: CauseLineProps) {
  const { group, children } = props;
  return (
    <li className={styles["problem"]}>
      <Mark asked={askedBy(group)} />
      <div className={styles["cause"]}>
        {group.first.severity === "error" ? (
          <>
            <WholeCause group={group} />
            {children}
          </>
        ) : (
          <ShortCause {...props} />
        )}
      </div>
    </li>
  );
}

/** A reason why nothing can be imported: to be read whole. */
function WholeCause({ group: { first, files, count } }: Pick<CauseLineProps, "group">) {
  const [only] = files;
  return (
    <>
      <p>{first.message}</p>
      {files.length === 1 && only ? (
        <p className="soft-regular">{placeWords(only)}</p>
      ) : (
        <More summary={`${countOf(count, "time")} in ${countOf(files.length, "file")}`}>
          <Places group={{ files }} />
        </More>
      )}
    </>
  );
}

/** A warning in one line, with what else there is to know of it folded. */
function ShortCause({ group, found, help, children }: CauseLineProps) {
  const { line, example, rest } = toldOf(group, found.options);
  const isPlaced = group.files.some((cause) => placeWords(cause) !== "");
  // What befalls one system’s answers alone may make its score unlike the others’.
  const only = group.files.length === 1 && found.files.length > 1 ? group.first.file : "";
  const isFolded = rest !== "" || help !== "" || isPlaced;
  return (
    <>
      <p>
        {line}
        {only && <span className="soft-regular">{` (${only})`}</span>}
      </p>
      {example && (
        <p className="soft-regular" dir="auto">
          {example}
        </p>
      )}
      {children}
      {isFolded && (
        <More summary="Details">
          {help && (
            <p>
              <HelpLines help={help} />
            </p>
          )}
          {rest && <p>{rest}</p>}
          {isPlaced && <Places group={group} />}
        </More>
      )}
    </>
  );
}

function Places({ group: { files } }: { readonly group: Pick<CauseGroup, "files"> }) {
  return (
    <ul className="soft-regular">
      {files.map((cause) => (
        <li key={cause.file}>{placeWords(cause)}</li>
      ))}
    </ul>
  );
}

function ProblemLine({ problem }: { readonly problem: ImportProblem }) {
  return (
    <li className={styles["problem"]}>
      <Mark asked={problem.severity === "error" ? "repair" : "check"} />
      <div>
        <p>{problem.message}</p>
        <p className="soft-regular">
          {problem.file}
          {problem.line ? `, line ${formatCount(problem.line)}` : ""}
          {problem.column ? `, column “${problem.column}”` : ""}
        </p>
      </div>
    </li>
  );
}

const MARKS: Readonly<Record<Asked, readonly [Tone, string]>> = {
  repair: ["danger", "Error"],
  check: ["warning", "Warning"],
  choose: ["accent", "Setting"],
  offer: ["neutral", "Note"],
  nothing: ["neutral", "Note"],
};

function Mark({ asked }: { readonly asked: Asked }) {
  const [tone, words] = MARKS[asked];
  return <Badge tone={tone}>{words}</Badge>;
}
