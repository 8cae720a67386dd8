/** Annotators and how the training went; a lead may let somebody through. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { post, read } from "../../api/client";
import type { QualityPlan, Trainee } from "../../api/contract";
import { messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { ProjectLink } from "../../components/project-link";
import { type Column, Table } from "../../components/table";
import { useToast } from "../../components/toast";
import { formatCount } from "../../lib/numbers";
import { traineeWords } from "./words";

interface TraineeTableProps {
  readonly slug: string;
  readonly plan: QualityPlan;
}

export function TraineeTable({ slug, plan }: TraineeTableProps) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const letting = useMutation({
    mutationFn: (trainee: Trainee) =>
      post("/api/projects/{slug}/trainees/{member_id}/let-through", { slug, member_id: trainee.member_id }),
    onSuccess: (changed, trainee) => {
      queryClient.setQueryData(read("/api/projects/{slug}/quality-plan", { slug }).queryKey, changed);
      toast({ text: `${trainee.name} may begin.` });
    },
    onError: (error) => toast({ text: messageOf(error), tone: "error" }),
  });
  if (!plan.is_training) {
    return (
      <p>
        No training is asked for. It is switched on{" "}
        <ProjectLink page="work">where the work is planned</ProjectLink>.
      </p>
    );
  }
  if (plan.trainees.length === 0) return <p>Annotators will be listed here once they have joined.</p>;
  return (
    <Table
      folds
      caption="Annotators in training"
      columns={columnsOf((trainee) => letting.mutate(trainee))}
      rows={plan.trainees}
      rowKey={(trainee) => trainee.member_id}
    />
  );
}

function columnsOf(onLetThrough: (trainee: Trainee) => void): Column<Trainee>[] {
  return [
    {
      key: "name",
      header: "Annotator",
      isRowHeader: true,
      cell: ({ name }) => <span dir="auto">{name}</span>,
      sortBy: ({ name }) => name,
    },
    { key: "state", header: "Training", cell: traineeWords, sortBy: traineeWords },
    {
      key: "times",
      header: "Times tried",
      align: "end",
      cell: ({ attempts }) => formatCount(attempts),
      sortBy: ({ attempts }) => attempts,
    },
    {
      key: "right",
      header: "Right, last time",
      align: "end",
      cell: ({ right, total }) => (total === 0 ? "–" : `${right} of ${total}`),
      sortBy: ({ right, total }) => (total === 0 ? null : right / total),
    },
    {
      key: "through",
      header: <span className="visually-hidden">Let through</span>,
      cell: (trainee) =>
        ["due", "failed"].includes(trainee.state) && (
          <Button size="small" onClick={() => onLetThrough(trainee)}>
            Let through<span className="visually-hidden"> {trainee.name}</span>
          </Button>
        ),
    },
  ];
}
