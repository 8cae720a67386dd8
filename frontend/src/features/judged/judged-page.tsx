/** A rater's own judgments: what was said of which answer, and changing one's mind about it. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { kept, keyOf, post, read } from "../../api/client";
import type { EditRequest, PastAnswer, PastPage, PastSheet, ProjectDetail } from "../../api/schema";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { FormDialog } from "../../components/dialog";
import { fieldsOf, SearchForm, TextArea, TextField } from "../../components/form";
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
  const filter = { cursor: search.read("cursor"), ...(text && { search: text }) };
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
          plural(query.data.count, "{count} question", "{count} questions, newest first")
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
      <ul className="ruled">
        {found.sheets.map((sheet) => (
          <PastSheetEntry
            key={sheet.id}
            sheet={sheet}
            labels={project.labels}
            onChange={(answer) => setEditing({ sheet, answer })}
          />
        ))}
      </ul>
      <Pagination label={t("Pages of judgments")} of={found} shown={found.sheets.length} />
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
        <p>{t("Try other words. The search includes only question text.")}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t("No judgments yet")}
      action={
        <ProjectButtonLink page="judge" variant="primary">
          {t("Judge answers")}
        </ProjectButtonLink>
      }
    >
      <p>{t("After you judge answers, you can review them and change your judgments here.")}</p>
    </EmptyState>
  );
}

interface PastSheetEntryProps {
  readonly sheet: PastSheet;
  readonly labels: readonly LabelSpec[];
  readonly onChange: (answer: PastAnswer) => void;
}

function PastSheetEntry({ sheet, labels, onChange }: PastSheetEntryProps) {
  const references = sheet.question.references ?? [];
  return (
    <li className={styles["sheet"]}>
      <div className={styles["head"]}>
        <h2 className={styles["question"]} dir="auto">
          {sheet.question.text}
        </h2>
        <span className="soft">
          <RelativeTime at={sheet.handed_in_at} />
        </span>
      </div>
      {references.length > 0 && (
        <p className="soft">
          {rich("Reference answers: {answers}", {
            answers: <span dir="auto">{references.join(" · ")}</span>,
          })}
        </p>
      )}
      {sheet.checks.map((check) => (
        <p key={check.text} className="soft">
          <span dir="auto">{check.text}</span> <strong>{check.answer ? t("Yes") : t("No")}</strong>
        </p>
      ))}
      <ul>
        {sheet.answers.map((answer) => (
          <JudgedAnswer key={answer.id} answer={answer} labels={labels} onChange={() => onChange(answer)} />
        ))}
      </ul>
    </li>
  );
}

interface JudgedAnswerProps {
  readonly answer: PastAnswer;
  readonly labels: readonly LabelSpec[];
  readonly onChange: () => void;
}

/** One line: what was said, of which answer. What was written beside it stands below. */
function JudgedAnswer({ answer, labels, onChange }: JudgedAnswerProps) {
  const words = answerWords(answer.text);
  return (
    <li className={styles["answer"]}>
      <Label label={answer.said.label} labels={labels} />
      <AnswerText words={words} />
      <Button
        variant="quiet"
        size="small"
        className={styles["change"] ?? ""}
        aria-label={t("Change your judgment of {answer}", { answer: words })}
        onClick={onChange}
      >
        {t("Change")}
      </Button>
      <Beside answer={answer} labels={labels} />
    </li>
  );
}

// Longer ones would fill the page, and are seldom what somebody looks for.
const MOST_CHARACTERS = 160;

function AnswerText({ words }: { readonly words: string }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = words.length > MOST_CHARACTERS;
  return (
    <div className={styles["text"]}>
      <p dir="auto" className={isLong && !isWhole ? styles["cut"] : undefined}>
        {words}
      </p>
      {isLong && (
        <button
          type="button"
          className={styles["whole"]}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? t("Show less") : t("Show full answer")}
        </button>
      )}
    </div>
  );
}

interface LabelProps {
  readonly label: string;
  readonly labels: readonly LabelSpec[];
}

function Label({ label, labels }: LabelProps) {
  const spec = labels.find(({ key }) => key === label);
  const tone = toneOfCredit(spec?.credit ?? "");
  return (
    <span className={styles["label"]} data-tone={tone}>
      <LabelShape tone={tone} />
      {spec?.name ?? label}
    </span>
  );
}

/** How a person decided, where raters may read it, and what the rater wrote. */
function Beside({ answer: { said, decided }, labels }: Pick<JudgedAnswerProps, "answer" | "labels">) {
  const { comment, evidence_url: url, evidence_quote: quote } = said;
  if (!decided && !comment && !url && !quote) return null;
  return (
    <div className={styles["beside"]}>
      {decided && (
        <p>
          {rich("Decided: {label}", { label: <Label label={decided.label} labels={labels} /> })}{" "}
          <span className="soft" dir="auto">
            {decided.words}
          </span>
        </p>
      )}
      {comment && (
        <p className="soft" dir="auto">
          {comment}
        </p>
      )}
      {url && (
        <p className="soft">
          {isWebAddress(url) ? (
            <a href={url} target="_blank" rel="noreferrer noopener">
              {url}
            </a>
          ) : (
            url
          )}
        </p>
      )}
      {quote && (
        <blockquote className="soft" dir="auto">
          {quote}
        </blockquote>
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
      note: t("Judgment changed. The history keeps your earlier judgment."),
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
      cancel={t("Cancel")}
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
      <TextField label={t("Web address")} inputMode="url" maxLength={2000} {...field("evidence_url")} />
      <TextArea label={t("Quote")} rows={2} dir="auto" maxLength={4000} {...field("evidence_quote")} />
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
