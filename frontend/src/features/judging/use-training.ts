/** Takes a new annotator through the training: label, check, read what is right, go on. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { post, read } from "../../api/client";
import type { LabelSpec, Project, Training, TrainingFeedback } from "../../api/contract";
import { messageOf } from "../../api/error";
import type { Command } from "../../lib/commands";
import { withChosenKeys } from "../../lib/key-settings";
import { trainingCommands } from "./training-commands";

type TrainingSheet = NonNullable<Training["sheet"]>;
type Choices = Readonly<Record<string, string>>;

export interface TrainingDesk {
  readonly query: ReturnType<typeof useQuery<Training>>;
  readonly choices: Choices;
  readonly row: number;
  readonly feedback: TrainingFeedback | null;
  readonly error: string | null;
  readonly busy: boolean;
  readonly commands: readonly Command[];
  readonly enter: (row: number) => void;
  readonly choose: (answerId: string, label: string, advance: boolean) => void;
  readonly check: () => void;
  readonly goOn: () => void;
  readonly again: () => void;
}

export function isJudged(sheet: TrainingSheet, choices: Choices): boolean {
  return sheet.answers.every((answer) => choices[answer.id] !== undefined);
}

/** The row after this one that has no label yet; the last stays. */
function nextOpen(sheet: TrainingSheet, choices: Choices, row: number): number {
  const open = sheet.answers.findIndex((answer, index) => index > row && choices[answer.id] === undefined);
  return open === -1 ? row : open;
}

export function useTraining(project: Project, onPassed: () => void): TrainingDesk {
  const queryClient = useQueryClient();
  const query = useQuery(read("/api/projects/{slug}/training", { slug: project.slug }));
  const [choices, setChoices] = useState<Choices>({});
  const [row, setRow] = useState(0);
  const sheet = query.data?.sheet ?? null;
  const put = (training: Training) => {
    setChoices({});
    setRow(0);
    checking.reset();
    queryClient.setQueryData(
      read("/api/projects/{slug}/training", { slug: project.slug }).queryKey,
      training,
    );
  };
  const checking = useMutation({
    mutationFn: (body: { sheet: TrainingSheet; choices: Choices }) =>
      post(
        "/api/projects/{slug}/training/answers",
        { slug: project.slug },
        {
          question_id: body.sheet.question_id,
          answers: body.sheet.answers.map(({ id }) => ({ id, label: body.choices[id] ?? "" })),
        },
      ),
  });
  const starting = useMutation({
    mutationFn: () => post("/api/projects/{slug}/training/again", { slug: project.slug }),
    onSuccess: put,
  });
  const feedback = checking.data ?? null;

  const choose = (answerId: string, label: string, advance: boolean) => {
    if (!sheet || feedback) return;
    const chosen = { ...choices, [answerId]: label };
    setChoices(chosen);
    if (advance) setRow(nextOpen(sheet, chosen, row));
  };
  const check = () => {
    if (sheet && !feedback && !checking.isPending && isJudged(sheet, choices)) {
      checking.mutate({ sheet, choices });
    }
  };
  const goOn = () => {
    if (!feedback) return;
    if (feedback.training.state === "passed") onPassed();
    else put(feedback.training);
  };
  const label = (option: LabelSpec) => {
    const answer = sheet?.answers[row];
    if (answer) choose(answer.id, option.key, true);
  };
  const move = (step: 1 | -1) => {
    const last = (sheet?.answers.length ?? 1) - 1;
    setRow(Math.min(last, Math.max(0, row + step)));
  };
  const problem = checking.error ?? starting.error;
  return {
    query,
    choices,
    row,
    feedback,
    error: problem ? messageOf(problem) : null,
    busy: checking.isPending || starting.isPending,
    commands: withChosenKeys(
      trainingCommands(project.labels, { label, move, check, goOn }, feedback !== null),
    ),
    enter: setRow,
    choose,
    check,
    goOn,
    again: () => starting.mutate(),
  };
}
