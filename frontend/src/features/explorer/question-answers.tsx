/** The other answers to the same question, and which votes were given before the question was corrected. */
import type { AnswerHistory } from "../../api/schema";
import { Badge } from "../../components/badge";
import { ProjectLink } from "../../components/project-link";
import { answerWords } from "../../domain/answer";
import { LabelMark } from "../../domain/labels";
import { countOf } from "../../lib/numbers";
import styles from "./explorer.module.css";
import { stateWords } from "./which-answers";

type QuestionAnswer = AnswerHistory["question"]["answers"][number];

export function OtherAnswerRows({ answer }: { readonly answer: AnswerHistory }) {
  const others = answer.question.answers.filter(({ id }) => id !== answer.id);
  if (others.length === 0) return <p className="soft-regular">There are no other answers.</p>;
  return (
    <ul className="ruled">
      {others.map((other) => (
        <li key={other.id} className={styles["row"]}>
          <span>
            <Standing answer={other} />
          </span>
          <ProjectLink page={`answers/${other.id}`}>
            <span dir="auto">{answerWords(other.text)}</span>
          </ProjectLink>
          <span className="soft-regular">{voteWords(other)}</span>
        </li>
      ))}
    </ul>
  );
}

function Standing({ answer }: { readonly answer: QuestionAnswer }) {
  const state = stateWords(answer.state);
  return answer.label ? <LabelMark label={answer.label} /> : <Badge tone={state.tone}>{state.words}</Badge>;
}

/** "3 votes, 2 of them before the correction" */
function voteWords({ votes, votes_before: before }: QuestionAnswer): string {
  const all = countOf(votes, "vote");
  if (before === 0) return all;
  if (votes === 1) return `${all}, before the correction`;
  return before === votes ? `${all}, all before the correction` : `${all}, ${before} before the correction`;
}

/** What a correction of the question would leave standing: the answers with votes on the text as it is. */
export function AffectedVotes({ question }: Pick<AnswerHistory, "question">) {
  const affected = question.answers.filter(({ votes }) => votes > 0);
  if (affected.length === 0) return <p>Nobody has judged any answers to this question yet.</p>;
  const votes = affected.reduce((sum, answer) => sum + answer.votes, 0);
  return (
    <>
      <p>
        The existing {countOf(votes, "vote")} on {countOf(affected.length, "answer")} will be kept and marked
        as given before the correction. To get new votes on an answer, open it and send it back to annotators.
        You can also change its decision.
      </p>
      <ul>
        {affected.map((answer) => (
          <li key={answer.id}>
            <span dir="auto">{answerWords(answer.text)}</span>: {countOf(answer.votes, "vote")}
          </li>
        ))}
      </ul>
    </>
  );
}
