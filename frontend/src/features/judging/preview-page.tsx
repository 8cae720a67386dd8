/** The judging page as raters have it, for a lead to try: nothing of it is stored. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { keyOf, read } from "../../api/client";
import type {
  AnswerLine,
  BlindCheck,
  BlindSheet,
  Progress,
  ProjectDetail,
  Protocol,
  Work,
} from "../../api/schema";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { Page, PageHeader, useTitle } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { EmptyState, QueryView } from "../../components/query-view";
import { createMemoryOutbox, Desk, removeDraft, type SheetOperations } from "./desk";
import { JudgingDesk } from "./judging-page";
import styles from "./preview-page.module.css";

function useQuestions({ slug, gold_shown: goldShown }: ProjectDetail) {
  const queryClient = useQueryClient();
  return useQuery({
    queryKey: [...keyOf("/api/projects/{slug}", { slug }), "preview"],
    staleTime: Infinity,
    queryFn: async (): Promise<readonly PreviewQuestion[]> => {
      const { answers } = await queryClient.ensureQueryData(
        read("/api/projects/{slug}/answers", { slug }, {}),
      );
      const found = questionsOf(answers, 20);
      if (found.length === 0) return EXAMPLES;
      if (!goldShown) return found;
      return Promise.all(
        found.map(async (question) => {
          const { question: known } = await queryClient.ensureQueryData(
            read("/api/projects/{slug}/answers/{candidate}", { slug, candidate: question.source ?? "" }),
          );
          return { ...question, references: known.gold };
        }),
      );
    },
  });
}

export function PreviewPage() {
  const project = useProject();
  useTitle("Preview protocol", project.name);
  const protocol = useQuery(read("/api/projects/{slug}/protocol", { slug: project.slug }));
  const questions = useQuestions(project);
  if (protocol.data && questions.data)
    return <Preview project={project} version={protocol.data} questions={questions.data} />;
  const lacking = protocol.data ? questions : protocol;
  return (
    <Page>
      <PageHeader title="Preview protocol" actions={<BackToProtocol />} />
      <QueryView<unknown> query={lacking}>{() => null}</QueryView>
    </Page>
  );
}

function BackToProtocol() {
  return (
    <ProjectButtonLink size="small" page="protocol">
      Back to protocol
    </ProjectButtonLink>
  );
}

interface PreviewProps {
  readonly project: ProjectDetail;
  readonly version: Protocol;
  readonly questions: readonly PreviewQuestion[];
}

function Preview({ project, version, questions }: PreviewProps) {
  const [turn, setTurn] = useState(0);
  const sheets = useMemo(
    () =>
      previewSheets(questions, {
        checks: (version.spec["question_checks"] ?? []) as BlindCheck[],
        checks_first: version.spec["checks_first"] === true,
        goldShown: project.gold_shown,
      }),
    [questions, version.spec, project.gold_shown],
  );
  return (
    <div className={styles["preview"]}>
      <div className={styles["mark"]}>
        <Notice title="Preview" actions={<BackToProtocol />}>
          This is what annotators see under version {version.number} of the protocol
          {questions === EXAMPLES && ", with sample questions until you import your own"}. Nothing you do here
          is saved.
        </Notice>
      </div>
      <Round key={turn} project={project} sheets={sheets} onAgain={() => setTurn(turn + 1)} />
    </div>
  );
}

interface RoundProps {
  readonly project: ProjectDetail;
  readonly sheets: readonly BlindSheet[];
  readonly onAgain: () => void;
}

function Round({ project, sheets, onAgain }: RoundProps) {
  const [desk] = useState(() => {
    for (const { id } of sheets) removeDraft(id);
    return createPreviewDesk(sheets);
  });
  useEffect(() => () => sheets.forEach(({ id }) => removeDraft(id)), [sheets]);
  const end = (
    <EmptyState level={1} title="End of the preview" action={<Button onClick={onAgain}>Start over</Button>}>
      <p>Annotators continue until no answers are left. Nothing was saved.</p>
    </EmptyState>
  );
  return <JudgingDesk project={project} desk={desk} endOfPreview={end} />;
}

const PREVIEW_QUESTIONS = 3;
const FAR_AWAY = "2999-01-01T00:00:00Z";

/** A question as the preview shows it, with the answer by which more of it can be read. */
interface PreviewQuestion {
  readonly text: string;
  readonly answers: readonly string[];
  readonly references: readonly string[];
  readonly source: string | null;
}

/** Shown where a project has no questions yet; made up by us. */
const EXAMPLES: readonly PreviewQuestion[] = [
  {
    text: "which planet has the most moons",
    answers: ["Saturn", "Jupiter, as far as anyone knew in 2019", "the largest one"],
    references: ["Saturn"],
    source: null,
  },
  {
    text: "who wrote the novel middlemarch",
    answers: ["George Eliot", "Mary Ann Evans", "Jane Austen"],
    references: ["George Eliot"],
    source: null,
  },
  {
    text: "when did the berlin wall come down",
    answers: ["November 9, 1989", "1989", "in the nineties"],
    references: ["November 9, 1989", "November 1989"],
    source: null,
  },
];

/** The first questions with answers that the project has. */
function questionsOf(lines: readonly AnswerLine[], limit: number): PreviewQuestion[] {
  const texts = [...new Set(lines.map((line) => line.question))].slice(0, PREVIEW_QUESTIONS);
  return texts.map((text) => {
    const own = lines.filter((line) => line.question === text);
    return {
      text,
      answers: own.slice(0, limit).map((line) => line.answer),
      references: [],
      source: own[0]?.id ?? null,
    };
  });
}

type Asked = Pick<BlindSheet, "checks" | "checks_first"> & { readonly goldShown: boolean };

function previewSheets(questions: readonly PreviewQuestion[], asked: Asked): BlindSheet[] {
  return questions.map((question, number) => ({
    id: `preview-${number}`,
    version: 1,
    is_pilot: false,
    asks_again: "",
    question: {
      id: `preview-question-${number}`,
      text: question.text,
      references: asked.goldShown ? [...question.references] : null,
      passages: null,
      flags: [],
    },
    checks: asked.checks,
    checks_first: asked.checks_first,
    answers: question.answers.map((text, place) => ({ id: `preview-${number}-${place}`, text })),
    lease_expires_at: FAR_AWAY,
    draft: null,
  }));
}

function inMemory(sheets: readonly BlindSheet[]): SheetOperations {
  let done: { readonly sheet: BlindSheet; readonly draft: BlindSheet["draft"] }[] = [];
  const work = (): Promise<Work> => {
    const open = sheets.filter(({ id }) => !done.some(({ sheet }) => sheet.id === id));
    const progress: Progress = {
      judged_questions: done.length,
      judged_answers: done.reduce((count, { sheet }) => count + sheet.answers.length, 0),
      left_questions: open.length,
      median_seconds: null,
      can_undo: done.length > 0,
    };
    return Promise.resolve({
      sheets: open,
      progress,
      nothing_left: open.length === 0,
      guidelines_unread: "",
      in_pilot: false,
    });
  };
  const close = (id: string, draft: BlindSheet["draft"]) => {
    const sheet = sheets.find((each) => each.id === id);
    if (sheet) done = [...done, { sheet, draft }];
    return work();
  };
  return {
    next: work,
    submit: (id, { answers, checks }) => close(id, { answers, checks } as BlindSheet["draft"]),
    skip: (id) => close(id, null),
    undo: async () => {
      const last = done.at(-1);
      done = done.slice(0, -1);
      const reply = await work();
      const others = reply.sheets.filter(({ id }) => id !== last?.sheet.id);
      return last ? { ...reply, sheets: [{ ...last.sheet, draft: last.draft }, ...others] } : reply;
    },
  };
}

function createPreviewDesk(sheets: readonly BlindSheet[]): Desk {
  return new Desk(inMemory(sheets), createMemoryOutbox());
}
