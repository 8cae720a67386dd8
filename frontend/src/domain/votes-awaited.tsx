/** What a page that waits for people’s votes says of annotators, and where it leads. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/client";
import { useProject } from "../api/project";
import type { Setup } from "../api/schema";
import { ProjectButtonLink, ProjectLink } from "../components/project-link";
import { invitedWords, invitingStep, stepToVotes } from "./annotators";

/** What a project has of what judging takes; only leads are told. */
export function useSetup(): Setup | undefined {
  const { slug, role } = useProject();
  return useQuery({ ...read("/api/projects/{slug}/setup", { slug }), enabled: role === "lead" }).data;
}

/** That links are open which nobody has used; nothing where none are missed. */
export function InvitationsAwaited() {
  const setup = useSetup();
  if (!setup || setup.is_ready || setup.invited === 0) return null;
  return <p>{invitedWords(setup)}</p>;
}

/** Leads to people: to be invited, or to their open invitations. */
export function InviteButton() {
  const setup = useSetup();
  const step = setup && invitingStep(setup);
  return (
    <ProjectButtonLink page="people" size="small" search={step?.search ?? {}}>
      {step?.words ?? "Invite annotators"}
    </ProjectButtonLink>
  );
}

export function VotesAction() {
  const setup = useSetup();
  if (!setup) return null;
  const { page, search, words } = stepToVotes(setup);
  return (
    <ProjectButtonLink page={page} search={search}>
      {words}
    </ProjectButtonLink>
  );
}

export function VotesLink() {
  const setup = useSetup();
  if (!setup) return null;
  const { page, search, words } = stepToVotes(setup);
  return (
    <ProjectLink page={page} search={search}>
      {words}
    </ProjectLink>
  );
}
