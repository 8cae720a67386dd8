/** Gives a sheet back unjudged and says why. */
import { useState } from "react";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { TextField } from "../../components/field";
import { t } from "../../lib/i18n/t";
import styles from "./dialogs.module.css";
import { ReasonList } from "./reason-list";

const REASONS = [
  { value: "cannot_find_out", name: "I cannot find out" },
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
    <Dialog open title={t("Skip this sheet")} onClose={onClose}>
      <form
        className={styles["form"]}
        onSubmit={(event) => {
          event.preventDefault();
          onSkip(words.trim() === "" ? told : `${told}: ${words.trim()}`);
        }}
      >
        <p>{t("Somebody else will judge it. Labels you gave on this sheet are not kept.")}</p>
        <ReasonList
          legend={t("Why")}
          options={REASONS.map(({ value, name }) => ({ value, name: t(name) }))}
          value={reason}
          onChange={setReason}
        />
        <TextField
          label={t("In your words (optional)")}
          dir="auto"
          maxLength={140}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <div className={styles["actions"]}>
          <Button onClick={onClose}>{t("Keep judging it")}</Button>
          <Button variant="primary" type="submit">
            {t("Skip")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
