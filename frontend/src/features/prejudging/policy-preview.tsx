/** What a policy would do, in counts and by example, before anything is done. */
import type { PolicyPreview as Preview } from "../../api/contract";
import { AnswerCell } from "../../components/answer-cell";
import { Entry, EntryHead, EntryList } from "../../components/entry-list";
import { LabelMark } from "../../components/label-mark";
import { Notice } from "../../components/notice";
import { countOf, formatCount } from "../../lib/numbers";
import { previewWords } from "./words";

export function PolicyPreview({ preview }: { readonly preview: Preview }) {
  const isUnaudited = preview.decided > 0 && preview.drawn === 0;
  return (
    <Notice
      tone={isUnaudited ? "warning" : "info"}
      title={`Of ${countOf(preview.open, "open answer")}, ${previewWords(preview)}.`}
    >
      {isUnaudited && (
        <p>
          <strong>Unaudited:</strong> none is drawn for raters, so nobody will know how often the rules are
          wrong, and no score can be corrected. Draw a larger share.
        </p>
      )}
      {preview.rules.map((rule) => (
        <details key={rule.number}>
          <summary>
            Rule {rule.number}: {countOf(rule.decided, "answer")} settled, {formatCount(rule.drawn)} drawn for
            the audit
          </summary>
          <EntryList>
            {rule.sample.map((answer) => (
              <Entry key={answer.id}>
                <EntryHead>
                  <LabelMark label={answer.label} />
                  <AnswerCell id={answer.id} answer={answer.answer} question={answer.question} />
                </EntryHead>
              </Entry>
            ))}
          </EntryList>
        </details>
      ))}
    </Notice>
  );
}
