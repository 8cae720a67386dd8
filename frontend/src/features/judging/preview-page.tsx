/** The judging page as raters have it, for a lead to try: nothing of it is stored. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { keyOf, read } from "../../api/client";
import type { CheckSpec, Project, ProtocolVersion, Sheet } from "../../api/contract";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { EmptyState } from "../../components/empty-state";
import { Notice } from "../../components/notice";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { useTitle } from "../../lib/title";
import { removeDraft } from "./drafts";
import { JudgingDesk } from "./judging-page";
import { createPreviewDesk, EXAMPLES, type PreviewQuestion, previewSheets, questionsOf } from "./preview";
import styles from "./preview-page.module.css";

function useQuestions({ slug, gold_shown: goldShown }: Project) {
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
  useTitle("Try it", project.name);
  const protocol = useQuery(read("/api/projects/{slug}/protocol", { slug: project.slug }));
  const questions = useQuestions(project);
  return (
    <QueryView query={protocol} level={1}>
      {(version) => (
        <QueryView query={questions} level={1}>
          {(found) => <Preview project={project} version={version} questions={found} />}
        </QueryView>
      )}
    </QueryView>
  );
}

interface PreviewProps {
  readonly project: Project;
  readonly version: ProtocolVersion;
  readonly questions: readonly PreviewQuestion[];
}

function Preview({ project, version, questions }: PreviewProps) {
  const [turn, setTurn] = useState(0);
  const sheets = useMemo(
    () =>
      previewSheets(questions, {
        checks: (version.spec["question_checks"] ?? []) as CheckSpec[],
        checks_first: version.spec["checks_first"] === true,
        goldShown: project.gold_shown,
      }),
    [questions, version.spec, project.gold_shown],
  );
  return (
    <div className={styles["preview"]}>
      <div className={styles["mark"]}>
        <Notice
          title="Preview"
          actions={
            <ProjectButtonLink size="small" page="protocol">
              Back to the protocol
            </ProjectButtonLink>
          }
        >
          This is what raters see under version {version.number}
          {questions === EXAMPLES && ", with made-up questions until some are imported"}. Nothing you do here
          is stored.
        </Notice>
      </div>
      <Round key={turn} project={project} sheets={sheets} onAgain={() => setTurn(turn + 1)} />
    </div>
  );
}

interface RoundProps {
  readonly project: Project;
  readonly sheets: readonly Sheet[];
  readonly onAgain: () => void;
}

function Round({ project, sheets, onAgain }: RoundProps) {
  const [desk] = useState(() => {
    for (const { id } of sheets) removeDraft(id);
    return createPreviewDesk(sheets);
  });
  useEffect(() => () => sheets.forEach(({ id }) => removeDraft(id)), [sheets]);
  const end = (
    <EmptyState
      level={1}
      title="That was the preview"
      action={<Button onClick={onAgain}>Start again</Button>}
    >
      <p>Raters go on like this until nothing is left. None of it was stored.</p>
    </EmptyState>
  );
  return <JudgingDesk project={project} desk={desk} endOfPreview={end} />;
}
