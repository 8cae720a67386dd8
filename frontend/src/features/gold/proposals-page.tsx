/** What may join the gold list: what it would do to everything judged, and letting it join. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { del, keyOf, post, read } from "../../api/client";
import type { ProposalRow, Proposals, ScoreMove } from "../../api/schema";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { FormDialog } from "../../components/dialog";
import { Checkbox, Choice, optionsOf, toggled } from "../../components/form";
import { Page, PageHeader, useTitle } from "../../components/page";
import { Pagination } from "../../components/pagination";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { Term } from "../../components/term";
import { useWrite } from "../../components/use-write";
import { AwaitingState } from "../../domain/first-step";
import { countOf, formatCount } from "../../lib/numbers";
import { type SearchState, useSearchState } from "../../lib/search-state";
import styles from "./proposals-page.module.css";

type Kind = ProposalRow["kind"];

const KINDS: Readonly<Record<Kind, string>> = {
  alias: "Short answers within long ones",
  date: "Dates",
  number: "Numbers",
  unit: "Units",
  name: "Names",
  spelling: "Spellings",
};

const PARTS = {
  changing: "Proposals that change scores",
  safe: "Proposals that match no rejected answer",
  wrong: "Proposals that match a rejected answer",
} as const;

/** Null: all that make no answer right that people rejected. */
type Chosen = readonly string[] | null;

export function ProposalsPage() {
  const project = useProject();
  useTitle("Proposals", project.name);
  const { slug } = project;
  const search = useSearchState();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [accepting, setAccepting] = useState<Chosen | undefined>();
  const query = useQuery(read("/api/projects/{slug}/gold/proposals", { slug }, askedOf(search)));
  return (
    <Page width="reading">
      <PageHeader
        title={
          <>
            <Term name="proposal">Proposals</Term> for the gold list
          </>
        }
        lead="Assay bases proposals on answers that people accepted. Accepting a proposal can only increase the number of correct answers. Each proposal shows its effect on scores."
      />
      {query.data?.all !== 0 && <Filters search={search} />}
      <QueryView query={query}>
        {(found) => (
          <>
            <Acts found={found} chosen={chosen} onAccept={setAccepting} onDone={() => setChosen([])} />
            {found.proposals.length === 0 ? (
              <NothingProposed found={found} />
            ) : (
              <ul>
                {found.proposals.map((proposal) => (
                  <ProposalEntry
                    key={proposal.id}
                    proposal={proposal}
                    isChosen={chosen.includes(proposal.id)}
                    onChoose={() => setChosen(toggled(chosen, proposal.id))}
                  />
                ))}
              </ul>
            )}
            <Pagination label="Pages of proposals" of={found} shown={found.proposals.length} />
          </>
        )}
      </QueryView>
      {accepting !== undefined && (
        <AcceptDialog
          slug={slug}
          chosen={accepting}
          onClose={() => {
            setAccepting(undefined);
            setChosen([]);
          }}
        />
      )}
    </Page>
  );
}

function askedOf(search: SearchState) {
  const [part, kind, question] = [search.read("part"), search.read("kind"), search.read("question")];
  return {
    cursor: search.read("cursor"),
    ...(part && part in PARTS && { part: part as keyof typeof PARTS }),
    ...(kind && kind in KINDS && { kind: kind as Kind }),
    ...(question && { question }),
  };
}

function Filters({ search }: { readonly search: SearchState }) {
  return (
    <div className={styles["filters"]}>
      <Choice
        label="Show"
        value={search.read("part")}
        options={optionsOf(PARTS)}
        empty="All proposals"
        onChange={(part) => search.write({ part: part || undefined, cursor: undefined })}
      />
      <Choice
        label="Kind"
        value={search.read("kind")}
        options={optionsOf(KINDS)}
        empty="All kinds"
        onChange={(kind) => search.write({ kind: kind || undefined, cursor: undefined })}
      />
      {search.read("question") && (
        <Button size="small" onClick={() => search.write({ question: undefined, cursor: undefined })}>
          Show all questions
        </Button>
      )}
    </div>
  );
}

function NothingProposed({ found }: { readonly found: Proposals }) {
  const isFiltered = found.all > 0;
  return (
    <AwaitingState title={isFiltered ? "No matching proposals" : "No proposals yet"}>
      <p>
        {isFiltered
          ? "Change the filters above."
          : "Proposals appear once people have accepted an answer. Dismissed proposals do not return unless you restore them."}
      </p>
    </AwaitingState>
  );
}

interface ActsProps {
  readonly found: Proposals;
  readonly chosen: readonly string[];
  readonly onAccept: (chosen: Chosen) => void;
  readonly onDone: () => void;
}

function Acts({ found, chosen, onAccept, onDone }: ActsProps) {
  const { slug } = useProject();
  const stale = [keyOf("/api/projects/{slug}/gold", { slug })];
  const dismiss = useWrite(
    () => post("/api/projects/{slug}/gold/proposals/dismissed", { slug }, { ids: [...chosen] }),
    { stale, note: ({ count }) => `${countOf(count, "proposal")} dismissed.`, refusal: "note", onDone },
  );
  const restore = useWrite(() => del("/api/projects/{slug}/gold/proposals/dismissed", { slug }), {
    stale,
    note: ({ count }) => `${countOf(count, "proposal")} restored.`,
    refusal: "note",
  });
  if (found.all + found.dismissed === 0) return null;
  return (
    <div className={styles["acts"]}>
      {found.all > 0 && (
        <>
          <Button variant="primary" disabled={chosen.length === 0} onClick={() => onAccept(chosen)}>
            Accept {formatCount(chosen.length)} selected
          </Button>
          <Button disabled={chosen.length === 0} busy={dismiss.isPending} onClick={() => dismiss.mutate()}>
            Dismiss
          </Button>
          <Button disabled={found.safe === 0} onClick={() => onAccept(null)}>
            Accept all {formatCount(found.safe)} that match no rejected answer
          </Button>
        </>
      )}
      {found.dismissed > 0 && (
        <Button variant="quiet" busy={restore.isPending} onClick={() => restore.mutate()}>
          Restore {countOf(found.dismissed, "dismissed proposal")}
        </Button>
      )}
    </div>
  );
}

interface EntryProps {
  readonly proposal: ProposalRow;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

/** What a proposal lets in; never nothing, which an example may be after its marks were taken off. */
function nameOf({ kind, text, examples, source }: ProposalRow): string {
  if (kind === "alias") return text;
  return `Variants of ${examples.find((example) => example.trim() !== "") ?? source}`;
}

function ProposalEntry({ proposal, isChosen, onChoose }: EntryProps) {
  const isPattern = proposal.kind !== "alias";
  return (
    <li className={styles["proposal"]}>
      <Checkbox label={nameOf(proposal)} checked={isChosen} onChange={onChoose} />
      <div className={styles["about"]}>
        <p>
          <Badge>{KINDS[proposal.kind]}</Badge>{" "}
          <ProjectLink page="gold" search={{ question: proposal.question_id }}>
            <span dir="auto">{proposal.question}</span>
          </ProjectLink>
        </p>
        <p className="soft">
          Based on <Source proposal={proposal} />. {supportWords(proposal)}
        </p>
        <Effects proposal={proposal} />
        {isPattern && (
          <details>
            <summary className="soft">Pattern</summary>
            <code className={styles["pattern"]}>{proposal.text}</code>
          </details>
        )}
      </div>
    </li>
  );
}

function Source({ proposal: { source, source_answer: answer } }: { readonly proposal: ProposalRow }) {
  const words = <q dir="auto">{source}</q>;
  return answer === null ? (
    <>the gold answer {words}</>
  ) : (
    <>
      the accepted answer <ProjectLink page={`answers/${answer}`}>{words}</ProjectLink>
    </>
  );
}

function supportWords({ supported }: ProposalRow): string {
  if (supported === 0) return "The proposal matches no answer that people accepted.";
  return `The proposal matches ${countOf(supported, "answer")} that people accepted.`;
}

function Effects({ proposal }: { readonly proposal: ProposalRow }) {
  const { wrong, open, right, moves } = proposal;
  if (wrong + open + right === 0) return <p className="soft">No scores change.</p>;
  return (
    <ul className={styles["effects"]}>
      {wrong > 0 && (
        <li className={styles["wrong"]}>
          {countOf(wrong, "rejected answer becomes", "rejected answers become")} correct:{" "}
          <Answers answers={proposal.wrong_answers} count={wrong} />
        </li>
      )}
      {right > 0 && <li>{countOf(right, "accepted answer")} will also match the gold list.</li>}
      {open > 0 && (
        <li>
          {countOf(open, "undecided answer becomes", "undecided answers become")} correct:{" "}
          <Answers answers={proposal.open_answers} count={open} />
        </li>
      )}
      {moves.map((move) => (
        <li key={move.system}>{moveWords(move)}</li>
      ))}
    </ul>
  );
}

interface AnswersProps {
  readonly answers: ProposalRow["open_answers"];
  readonly count: number;
}

function Answers({ answers, count }: AnswersProps) {
  return (
    <>
      {answers.map(({ id, text, systems }, place) => (
        <span key={id}>
          {place > 0 && "; "}
          <ProjectLink page={`answers/${id}`}>
            <q dir="auto">{text}</q>
          </ProjectLink>
          {systems.length > 0 && ` (${systems.join(", ")})`}
        </span>
      ))}
      {count > answers.length && ` and ${formatCount(count - answers.length)} more`}
    </>
  );
}

/** A system's answers on the list before and after, and its rank where that moves. */
export function moveWords({ label, n, before, after, rank_before, rank_after }: ScoreMove): string {
  const score =
    before === after
      ? `${label}: ${formatCount(before)} of ${formatCount(n)} correct, no change`
      : `${label}: ${formatCount(before)} → ${formatCount(after)} of ${formatCount(n)} correct`;
  if (rank_before === null || rank_after === null || rank_before === rank_after) return `${score}.`;
  return `${score}, rank ${formatCount(rank_before)} → ${formatCount(rank_after)}.`;
}

interface AcceptDialogProps {
  readonly slug: string;
  readonly chosen: Chosen;
  readonly onClose: () => void;
}

function AcceptDialog({ slug, chosen, onClose }: AcceptDialogProps) {
  const wanted = chosen === null ? { all_safe: true } : { ids: [...chosen] };
  const preview = useQuery({
    queryKey: [...keyOf("/api/projects/{slug}/gold", { slug }), "preview", wanted],
    queryFn: () => post("/api/projects/{slug}/gold/proposals/preview", { slug }, wanted),
  });
  const accept = useWrite(() => post("/api/projects/{slug}/gold/proposals/accept", { slug }, wanted), {
    stale: [keyOf("/api/projects/{slug}", { slug })],
    note: "Proposals accepted. You can undo these changes together on the Gold answers page.",
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Accept these proposals?"
      action="Accept proposals"
      write={accept}
      isReady={preview.isSuccess}
      onSubmit={() => accept.mutate()}
      onClose={onClose}
    >
      <QueryView query={preview}>
        {({ proposals, wrong, open, moves }) => (
          <>
            <p>
              Accepting {countOf(proposals, "proposal")} will make {countOf(wrong, "rejected answer")} and{" "}
              {countOf(open, "undecided answer")} correct.
            </p>
            {moves.length === 0 ? (
              <p>No scores change.</p>
            ) : (
              <ul>
                {moves.map((move) => (
                  <li key={move.system}>{moveWords(move)}</li>
                ))}
              </ul>
            )}
            <p>
              You can undo these changes on the Gold answers page. Undoing them restores the current scores.
            </p>
          </>
        )}
      </QueryView>
    </FormDialog>
  );
}
