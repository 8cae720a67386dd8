/** Works through one tagging round: an item, its tags on keys, Enter, the next. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type ReactNode, useRef, useState } from "react";
import { read } from "../../api/client";
import { useProject } from "../../api/project";
import type { FailureTag, RoundDetail, TaggedItem } from "../../api/schema";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { Refusal, TextArea } from "../../components/form";
import { HelpSheet } from "../../components/help-sheet";
import { Notice } from "../../components/notice";
import { Page, PageHeader, useTitle } from "../../components/page";
import { ProgressBar } from "../../components/progress-bar";
import { ProjectButtonLink, ProjectLink } from "../../components/project-link";
import { QueryView, Skeleton } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { AnswerText } from "../../domain/answer";
import { flagName } from "../../domain/flags";
import { LabelMark } from "../../domain/labels";
import { withChosenKeys } from "../../lib/key-settings";
import { formatCoefficient } from "../../lib/numbers";
import { useCommands } from "../../lib/use-commands";
import { keyOfTag, PROPOSAL_KEY, taggingCommands } from "./commands";
import styles from "./failures.module.css";
import { ProposalComparison } from "./round-results";
import { type TagDraft, type TaggingWork, readItem, useTagDraft, useTagging } from "./use-tagging";
import { filterWords, proposerOf } from "./words";

export function TaggingPage() {
  const project = useProject();
  const { round } = useParams({ strict: false }) as { readonly round: string };
  const query = useQuery(
    read("/api/projects/{slug}/tagging/{tagging_round}", { slug: project.slug, tagging_round: round }),
  );
  useTitle(query.data?.name ?? "Tagging", project.name);
  return (
    <Page width="reading">
      <QueryView query={query} head={<PageHeader title="Tagging" actions={<AllRounds />} />}>
        {(found) => <Round slug={project.slug} round={found} />}
      </QueryView>
    </Page>
  );
}

function AllRounds() {
  return <ProjectButtonLink page="failures">All rounds</ProjectButtonLink>;
}

interface RoundProps {
  readonly slug: string;
  readonly round: RoundDetail;
}

function Round({ slug, round }: RoundProps) {
  const work = useTagging(slug, round);
  return (
    <>
      <PageHeader
        title={round.name}
        lead={[round.set_name === round.name ? [] : round.set_name, filterWords(round.filter, round.judge)]
          .flat()
          .join(" · ")}
        actions={<AllRounds />}
      />
      <ProgressBar label="Tagged items" done={round.done} total={round.total} note="tagged" />
      {round.done === round.total && <AllDone round={round} />}
      {work.current && <Item key={work.current.id} slug={slug} round={round} work={work} />}
      <ProposalComparison round={round} />
    </>
  );
}

function AllDone({ round }: { readonly round: RoundDetail }) {
  return (
    <Notice
      tone="success"
      title="All items in this round are tagged"
      actions={
        <ProjectButtonLink page="failures" search={{ round: round.id }} variant="primary">
          View results
        </ProjectButtonLink>
      }
    >
      <p>You can still move through the items with j and k and change their tags.</p>
    </Notice>
  );
}

interface ItemProps extends RoundProps {
  readonly work: ReturnType<typeof useTagging>;
}

function Item({ slug, round, work }: ItemProps) {
  const query = useQuery(readItem(slug, round.id, work.current?.id ?? ""));
  return (
    <QueryView query={query} loading={<Skeleton lines={7} height={2} />}>
      {(item) => (
        <>
          <ItemFacts
            item={item}
            place={round.items.findIndex(({ id }) => id === item.id) + 1}
            round={round}
          />
          {/* What somebody else said meanwhile starts a clean form. */}
          <TagForm key={item.history.length} slug={slug} item={item} round={round} work={work} />
        </>
      )}
    </QueryView>
  );
}

interface ItemFactsProps {
  readonly item: TaggedItem;
  readonly place: number;
  readonly round: RoundDetail;
}

function ItemFacts({ item, place, round }: ItemFactsProps) {
  return (
    <section className={styles["facts"]} aria-label={`Item ${place} of ${round.total}`}>
      <p className="soft">
        Item {place} of {round.total}
        {item.flags.length > 0 &&
          ` · flagged by annotators: ${item.flags.map((kind) => flagName(kind).toLowerCase()).join(", ")}`}
      </p>
      <h2 className={styles["question"]} dir="auto">
        {item.question}
      </h2>
      <p className="soft">
        Gold: <span dir="auto">{item.gold.join(" · ") || "none"}</span>
      </p>
      {item.answer !== null && <Answer item={item} />}
      {item.verdict && <Verdict verdict={item.verdict} judge={round.judge} />}
    </section>
  );
}

function Answer({ item }: { readonly item: TaggedItem }) {
  return (
    <>
      <AnswerText text={item.answer ?? ""} />
      <p className="row-centered">
        {item.label && (
          <>
            Decision: <LabelMark label={item.label} />
          </>
        )}
        <span className="soft">{item.systems?.join(", ")}</span>
        <ProjectLink page={`answers/${item.answer_id}`}>View full history</ProjectLink>
      </p>
    </>
  );
}

interface VerdictProps {
  readonly verdict: NonNullable<TaggedItem["verdict"]>;
  readonly judge: string;
}

function Verdict({ verdict, judge }: VerdictProps) {
  return (
    <div className={styles["verdict"]}>
      <p className="row-centered">
        <strong>{judge}</strong>
        <Badge>{verdict.accepted ? "Accepts" : "Rejects"}</Badge>
        {verdict.score !== null && <span className="soft">score {formatCoefficient(verdict.score)}</span>}
      </p>
      {verdict.raw_reply && (
        <pre className={styles["reply"]} dir="auto">
          {verdict.raw_reply}
        </pre>
      )}
    </div>
  );
}

interface TagFormProps {
  readonly slug: string;
  readonly item: TaggedItem;
  readonly round: RoundDetail;
  readonly work: TaggingWork;
}

function TagForm({ slug, item, round, work }: TagFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [helping, setHelping] = useState(false);
  const draft = useTagDraft(slug, item, round, work);
  const isAboutAnswers = item.answer !== null;
  const commands = withChosenKeys(
    taggingCommands(
      round.tags,
      {
        toggle: draft.toggle,
        toggleUnattributable: draft.toggleUnattributable,
        acceptProposal: draft.acceptProposal,
        writeNote: () => form.current?.querySelector("textarea")?.focus(),
        save: draft.save,
        undo: () => void work.undo(),
        move: work.move,
        help: () => setHelping(true),
      },
      {
        canSave: draft.canSave,
        canUndo: work.canUndo,
        isProposed: (item.proposal?.tags.length ?? 0) > 0,
        isAboutAnswers,
      },
    ),
  );
  useCommands(commands);
  if (!round.may_tag) return <NotNamed round={round} item={item} />;
  return (
    <form
      ref={form}
      className={styles["form"]}
      aria-label="Tags"
      onSubmit={(event) => {
        event.preventDefault();
        draft.save();
      }}
    >
      {item.proposal && <Proposed proposal={item.proposal} round={round} onAccept={draft.acceptProposal} />}
      <TagChoices round={round} draft={draft} isAboutAnswers={isAboutAnswers} />
      <TextArea label="Note" rows={2} value={draft.note} onChange={draft.setNote} />
      <Refusal error={draft.error} />
      <div className="row-centered">
        <Button type="submit" variant="primary" hint="Enter" busy={draft.isSaving} disabled={!draft.canSave}>
          {item.current ? "Save changes and continue" : "Save and continue"}
        </Button>
        <Button hint="u" disabled={!work.canUndo} onClick={() => void work.undo()}>
          Undo
        </Button>
        <Button variant="quiet" hint="?" className="needs-keyboard" onClick={() => setHelping(true)}>
          Keyboard shortcuts
        </Button>
      </div>
      <TagHistory item={item} round={round} />
      {helping && (
        <HelpSheet commands={commands} onClose={() => setHelping(false)} onChange={() => undefined} />
      )}
    </form>
  );
}

type Shown = Pick<TagFormProps, "item" | "round">;

function NotNamed({ round, item }: Shown) {
  return (
    <>
      <Notice title={`Taggers in this round: ${round.taggers.join(", ")}`}>
        <p>You can view this round, but you cannot tag its items. Ask a lead to add you to the next round.</p>
      </Notice>
      <TagHistory item={item} round={round} />
    </>
  );
}

interface TagChoicesProps {
  readonly round: RoundDetail;
  readonly draft: TagDraft;
  readonly isAboutAnswers: boolean;
}

function TagChoices({ round, draft, isAboutAnswers }: TagChoicesProps) {
  const groups = [...new Set(round.tags.map(({ group }) => group ?? ""))];
  const chosen = round.tags.filter(({ key }) => draft.tags.includes(key));
  return (
    <>
      {groups.map((group) => (
        <Group key={group} name={group}>
          {round.tags.map((tag, place) =>
            (tag.group ?? "") === group ? (
              <Button
                key={tag.key}
                size="small"
                hint={keyOfTag(place)}
                title={tag.meaning}
                aria-pressed={draft.tags.includes(tag.key)}
                onClick={() => draft.toggle(tag.key)}
              >
                {tag.name}
              </Button>
            ) : null,
          )}
        </Group>
      ))}
      {isAboutAnswers && (
        <Group name="Attribution">
          <Button
            size="small"
            hint="x"
            aria-pressed={draft.isUnattributable}
            onClick={draft.toggleUnattributable}
          >
            Unattributable: no source supports it
          </Button>
        </Group>
      )}
      <Meanings tags={chosen} several={round.several} />
    </>
  );
}

function Group({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={styles["group"]} role="group" aria-label={name || "Tags"}>
      {name && (
        <span className={styles["groupName"]} aria-hidden="true">
          {name}
        </span>
      )}
      <div className={styles["choices"]}>{children}</div>
    </div>
  );
}

function Meanings({ tags, several }: { readonly tags: readonly FailureTag[]; readonly several: boolean }) {
  return (
    <div className={styles["meanings"]} aria-live="polite">
      {tags.length === 0 && (
        <p className="soft">{several ? "Choose at least one tag." : "Choose one tag."}</p>
      )}
      {tags.map((tag) => (
        <p key={tag.key} className="soft">
          <strong>{tag.name}.</strong> {tag.meaning} {tag.example && <em>{tag.example}</em>}
        </p>
      ))}
    </div>
  );
}

interface TagHistoryProps {
  readonly item: TaggedItem;
  readonly round: RoundDetail;
}

type Said = TaggedItem["history"][number];

function wordsOf(said: Said, round: RoundDetail): string {
  if (said.is_withdrawal) return "undone";
  const names = said.tags.map((key) => round.tags.find((tag) => tag.key === key)?.name ?? key);
  return [...names, ...(said.is_unattributable ? ["unattributable"] : [])].join(", ");
}

function TagHistory({ item, round }: TagHistoryProps) {
  if (item.history.length === 0) return null;
  return (
    <section aria-label="Earlier tags">
      <ul className={styles["history"]}>
        {item.history.map((said) => (
          <li key={said.number} className="soft">
            {said.by}, <RelativeTime at={said.at} />: {wordsOf(said, round)}
            {said.note && (
              <>
                , <q dir="auto">{said.note}</q>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ProposedProps {
  readonly proposal: NonNullable<TaggedItem["proposal"]>;
  readonly round: RoundDetail;
  readonly onAccept: () => void;
}

export function Proposed({ proposal, round, onAccept }: ProposedProps) {
  const names = round.tags.filter(({ key }) => proposal.tags.includes(key)).map(({ name }) => name);
  if (proposal.failure) {
    return (
      <p className="soft">
        {proposerOf(proposal.signature)} could not propose a tag: {proposal.failure.replaceAll("_", " ")}.
      </p>
    );
  }
  return (
    <div className="row-centered" title={proposal.signature}>
      <p className="soft">
        {proposerOf(proposal.signature)} proposed <strong>{names.join(", ")}</strong>
        {proposal.reason && (
          <>
            : <span dir="auto">{proposal.reason}</span>
          </>
        )}
      </p>
      <Button size="small" hint={PROPOSAL_KEY} onClick={onAccept}>
        Accept proposal
      </Button>
    </div>
  );
}
