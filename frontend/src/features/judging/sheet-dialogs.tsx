/** What a sheet asks in a dialog: flagging its question, and skipping it. */
import { useId, useState } from "react";
import { post } from "../../api/client";
import type { BlindSheet, FlagKindEnum } from "../../api/schema";
import { FormDialog } from "../../components/dialog";
import { TextField } from "../../components/form";
import { useWrite } from "../../components/use-write";
import { t } from "../../lib/i18n/t";
import styles from "./dialogs.module.css";

const KINDS = [
  { value: "ambiguous", name: "It has more than one meaning" },
  { value: "time_dependent", name: "Its answer changes over time" },
  { value: "list", name: "It asks for a list" },
  { value: "gold_improper", name: "A reference answer is incorrect" },
  { value: "unclear", name: "It is unclear or broken" },
] as const;

interface FlagDialogProps {
  readonly slug: string;
  readonly sheet: BlindSheet;
  readonly goldShown: boolean;
  readonly onFlagged: (kind: FlagKindEnum) => void;
  readonly onClose: () => void;
}

export function FlagDialog({ slug, sheet, goldShown, onFlagged, onClose }: FlagDialogProps) {
  const [kind, setKind] = useState<FlagKindEnum>(KINDS[0].value);
  const [note, setNote] = useState("");
  const flag = useWrite(
    () =>
      post(
        "/api/projects/{slug}/sheets/{sheet_id}/flags",
        { slug, sheet_id: sheet.id },
        { kind, note: note.trim() },
      ),
    {
      note: t("Question flagged. Leads can see the flag."),
      onDone: () => {
        onFlagged(kind);
        onClose();
      },
    },
  );
  return (
    <FormDialog
      title={t("Flag question")}
      action={t("Flag")}
      cancel={t("Cancel")}
      write={flag}
      onSubmit={() => flag.mutate()}
      onClose={onClose}
    >
      <p>{t("Judge the answers even if you flag the question.")}</p>
      <ReasonList
        legend={t("Problem")}
        options={KINDS.filter(({ value }) => goldShown || value !== "gold_improper").map(
          ({ value, name }) => ({
            value,
            name: t(name),
          }),
        )}
        value={kind}
        onChange={setKind}
      />
      <TextField
        label={t("Details (optional)")}
        dir="auto"
        maxLength={1000}
        value={note}
        onChange={setNote}
      />
    </FormDialog>
  );
}

const REASONS = [
  { value: "cannot_find_out", name: "I cannot find enough information" },
  { value: "unclear", name: "The question or an answer is unclear" },
  { value: "not_impartial", name: "I should not judge this one" },
  { value: "other", name: "Another reason" },
] as const;

interface SkipDialogProps {
  readonly onClose: () => void;
  readonly onSkip: (reason: string) => void;
}

export function SkipDialog({ onClose, onSkip }: SkipDialogProps) {
  const [reason, setReason] = useState<string>(REASONS[0].value);
  const [words, setWords] = useState("");
  // Leads read the reasons of all raters in one language.
  const told = REASONS.find(({ value }) => value === reason)?.name ?? reason;
  return (
    <FormDialog
      title={t("Skip this question")}
      action={t("Skip")}
      cancel={t("Keep judging")}
      onSubmit={() => onSkip(words.trim() === "" ? told : `${told}: ${words.trim()}`)}
      onClose={onClose}
    >
      <p>{t("Another annotator will judge it. Your labels for it will not be saved.")}</p>
      <ReasonList
        legend={t("Reason")}
        options={REASONS.map(({ value, name }) => ({ value, name: t(name) }))}
        value={reason}
        onChange={setReason}
      />
      <TextField
        label={t("Details (optional)")}
        dir="auto"
        maxLength={140}
        value={words}
        onChange={setWords}
      />
    </FormDialog>
  );
}

interface ReasonListProps<Value extends string> {
  readonly legend: string;
  readonly options: readonly { readonly value: Value; readonly name: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function ReasonList<Value extends string>({ legend, options, value, onChange }: ReasonListProps<Value>) {
  const group = useId();
  return (
    <fieldset className={styles["reasons"]}>
      <legend className="visually-hidden">{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles["reason"]}>
          <input
            type="radio"
            name={group}
            checked={option.value === value}
            data-autofocus={option.value === value || undefined}
            onChange={() => onChange(option.value)}
          />
          {option.name}
        </label>
      ))}
    </fieldset>
  );
}
