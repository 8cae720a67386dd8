/** What stands where a page of a project has nothing yet: it leads to the first step that is missing. */
import type { ComponentProps } from "react";
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/client";
import { useProject } from "../api/project";
import { ProjectButtonLink } from "../components/project-link";
import { EmptyState } from "../components/query-view";
import { importingStep } from "./annotators";

interface AwaitingStateProps extends ComponentProps<typeof EmptyState> {
  /** What the page itself waits for, after the import: “Then start a judge.” Absent where its words say it. */
  readonly then?: string;
}

/** Before questions and answers are imported, no other step gets a lead anywhere. */
export function AwaitingState({ then, action, children, ...state }: AwaitingStateProps) {
  const { slug, role } = useProject();
  const isLead = role === "lead";
  const setup = useQuery({ ...read("/api/projects/{slug}/setup", { slug }), enabled: isLead });
  const first = setup.data && importingStep(setup.data);
  const shown = first ? (
    <ProjectButtonLink page={first.page} variant="primary">
      {first.words}
    </ProjectButtonLink>
  ) : (
    // No button takes the place of another under the pointer.
    !(isLead && setup.isPending) && action
  );
  return (
    <EmptyState {...state} action={shown}>
      {children}
      {first && then && <p>{`First, import ${first.missing}. ${then}`}</p>}
    </EmptyState>
  );
}
