/** A rater's own judgments: what was said of which answer, and changing one's mind about it. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { kept, keyOf, post, read } from "../../api/client";
import type {
  EditRequest,
  HowDecided,
  PastAnswer,
  PastPage,
  PastSheet,
  ProjectDetail,
} from "../../api/schema";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { FormDialog } from "../../components/dialog";
import { fieldsOf, SearchForm, TextArea, TextField } from "../../components/form";
import { Entry, EntryHead, EntryList } from "../../components/list";
import { Page, PageHeader, useTitle } from "../../components/page";
import { Pagination } from "../../components/pagination";
import { ProjectButtonLink } from "../../components/project-link";
import { EmptyState, QueryView } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { SegmentedControl } from "../../components/segmented-control";
import { useWrite } from "../../components/use-write";
import { answerWords } from "../../domain/answer";
import { LabelShape, toneOfCredit, type LabelSpec } from "../../domain/labels";
import { isWebAddress } from "../../lib/addresses";
import { rich } from "../../lib/i18n/rich";
import { plural, t } from "../../lib/i18n/t";
import { useSearchState } from "../../lib/search-state";
import styles from "./judged.module.css";

export function JudgedPage() {
  const project = useProject();
  useTitle(t("Your judgments"), project.name);
  const search = useSearchState();
  const text = search.read("search");
  const filter = { page: search.readNumber("page", 1), ...(text && { search: text }) };
  const query = useQuery({
    ...kept(read("/api/projects/{slug}/judged", { slug: project.slug }, filter)),
    // Every visit reads it anew: sheets are handed in between.
    staleTime: 0,
  });
  const isNew = query.data?.count === 0 && text === undefined;
  return (
    <Page width="reading">
      <PageHeader
        title={t("Your judgments")}
        lead={
          query.data &&
          !isNew &&
          plural(query.data.count, "{count} sheet, newest first", "{count} sheets, newest first")
        }
      />
      {!isNew && <SearchForm search={search} label={t("Search your questions")} />}
      <QueryView query={query}>
        {(found) => (found.count === 0 ? <Nothing isNew={isNew} /> : <Found found={found} />)}
      </QueryView>
    </Page>
  );
}

function Found({ found }: { readonly found: PastPage }) {
  const project = useProject();
  const [editing, setEditing] = useState<Editing | null>(null);
  return (
    <>
      <EntryList>
        {found.sheets.map((sheet) => (
          <PastSheetEntry
            key={sheet.id}
            sheet={sheet}
            labels={project.labels}
            onChange={(answer) => setEditing({ sheet, answer })}
          />
        ))}
      </EntryList>
      <Pagination label={t("Pages of your judgments")} of={found} />
      {editing && <EditDialog project={project} editing={editing} onClose={() => setEditing(null)} />}
    </>
  );
}

function Nothing({ isNew }: { readonly isNew: boolean }) {
  if (!isNew) {
    return (
      <EmptyState
        title={t("No matching questions")}
        action={<ProjectButtonLink page="judged">{t("Show all")}</ProjectButtonLink>}
      >
        <p>{t("Try fewer or other words. The search covers questions.")}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t("Your judgments appear here")}
      action={
        <ProjectButtonLink page="judge" variant="primary">
          {t("Judge answers")}
        </ProjectButtonLink>
      }
    >
      <p>{t("You can look back at each sheet and change what you said.")}</p>
    </EmptyState>
  );
}

interface PastSheetEntryProps {
  readonly sheet: PastSheet;
  readonly labels: readonly LabelSpec[];
  readonly onChange: (answer: PastAnswer) => void;
}

function PastSheetEntry({ sheet, labels, onChange }: PastSheetEntryProps) {
  return (
    <Entry>
      <EntryHead>
        <h2 className={styles["question"]} dir="auto">
          {sheet.question.text}
        </h2>
        <span className="soft">
          <RelativeTime at={sheet.handed_in_at} />
        </span>
      </EntryHead>
      {sheet.question.references && sheet.question.references.length > 0 && (
        <p className="soft">
          {rich("Reference answers: {answers}", {
            answers: <span dir="auto">{sheet.question.references.join(" · ")}</span>,
          })}
        </p>
      )}
      {sheet.checks.map((check) => (
        <p key={check.text} className="soft">
          <span dir="auto">{check.text}</span> <strong>{check.answer ? t("Yes") : t("No")}</strong>
        </p>
      ))}
      <ul className="stack">
        {sheet.answers.map((answer) => (
          <li key={answer.id} className={styles["answer"]}>
            <JudgedAnswer answer={answer} labels={labels} />
            <Button
              variant="quiet"
              size="small"
              aria-label={t("Change your judgment of: {answer}", { answer: answerWords(answer.text) })}
              onClick={() => onChange(answer)}
            >
              {t("Change")}
            </Button>
          </li>
        ))}
      </ul>
    </Entry>
  );
}

function JudgedAnswer({
  answer,
  labels,
}: {
  readonly answer: PastAnswer;
  readonly labels: readonly LabelSpec[];
}) {
  const { label, comment, evidence_url, evidence_quote } = answer.said;
  const spec = labels.find(({ key }) => key === label);
  return (
    <div className={styles["said"]}>
      <p dir="auto">{answerWords(answer.text)}</p>
      <p className={styles["label"]} data-tone={toneOfCredit(spec?.credit ?? "")}>
        <LabelShape tone={toneOfCredit(spec?.credit ?? "")} />
        {spec?.name ?? label}
      </p>
      {comment && (
        <p className="soft" dir="auto">
          {comment}
        </p>
      )}
      {evidence_url && (
        <p className="soft">
          {isWebAddress(evidence_url) ? (
            <a href={evidence_url} target="_blank" rel="noreferrer noopener">
              {evidence_url}
            </a>
          ) : (
            evidence_url
          )}
        </p>
      )}
      {evidence_quote && (
        <blockquote className="soft" dir="auto">
          {evidence_quote}
        </blockquote>
      )}
      {answer.decided && <Decided decided={answer.decided} labels={labels} />}
    </div>
  );
}

/** What a person decided, where the protocol lets raters read it. */
function Decided({
  decided,
  labels,
}: {
  readonly decided: HowDecided;
  readonly labels: readonly LabelSpec[];
}) {
  const spec = labels.find(({ key }) => key === decided.label);
  const tone = toneOfCredit(spec?.credit ?? "");
  return (
    <div className={styles["decided"]}>
      <p className={styles["label"]}>
        {rich("Decided: {label}", {
          label: (
            <span className={styles["label"]} data-tone={tone}>
              <LabelShape tone={tone} />
              {spec?.name ?? decided.label}
            </span>
          ),
        })}
      </p>
      {decided.words && (
        <p className="soft" dir="auto">
          {decided.words}
        </p>
      )}
    </div>
  );
}

interface Editing {
  readonly sheet: PastSheet;
  readonly answer: PastAnswer;
}

interface EditDialogProps {
  readonly project: ProjectDetail;
  readonly editing: Editing;
  readonly onClose: () => void;
}

type Said = Omit<EditRequest, "seen_at">;

function useEdit({ project, editing, onClose }: EditDialogProps) {
  const { sheet, answer } = editing;
  return useWrite(
    (said: Said) =>
      post(
        "/api/projects/{slug}/judged/{sheet_id}/answers/{answer_id}/edit",
        { slug: project.slug, sheet_id: sheet.id, answer_id: answer.id },
        { ...said, seen_at: answer.said.judged_at },
      ),
    {
      note: t("Changed. What you said before is kept in the history."),
      stale: [keyOf("/api/projects/{slug}/judged", { slug: project.slug })],
      onDone: onClose,
    },
  );
}

function EditDialog(props: EditDialogProps) {
  const { project, editing, onClose } = props;
  const { label, comment, evidence_url, evidence_quote } = editing.answer.said;
  const [said, setSaid] = useState<Required<Said>>({ label, comment, evidence_url, evidence_quote });
  const edit = useEdit(props);
  const field = fieldsOf(said, (part) => setSaid({ ...said, ...part }));
  return (
    <FormDialog
      title={t("Change your judgment")}
      action={t("Change")}
      cancel={t("Leave it as it is")}
      write={edit}
      onSubmit={() => edit.mutate(trimmed(said))}
      onClose={onClose}
    >
      <div className={styles["about"]}>
        <p className="soft" dir="auto">
          {editing.sheet.question.text}
        </p>
        <p dir="auto">{answerWords(editing.answer.text)}</p>
      </div>
      <SegmentedControl
        label={t("Label")}
        value={said.label}
        options={project.labels.map(({ key, name }) => ({ value: key, name }))}
        onChange={(chosen) => setSaid({ ...said, label: chosen })}
      />
      <TextField label={t("Comment")} dir="auto" maxLength={2000} {...field("comment")} />
      <TextField
        label={t("Address of the page")}
        inputMode="url"
        maxLength={2000}
        {...field("evidence_url")}
      />
      <TextArea label={t("What it says")} rows={2} dir="auto" maxLength={4000} {...field("evidence_quote")} />
    </FormDialog>
  );
}

function trimmed(said: Required<Said>): Said {
  return {
    label: said.label,
    comment: said.comment.trim(),
    evidence_url: said.evidence_url.trim(),
    evidence_quote: said.evidence_quote.trim(),
  };
}
