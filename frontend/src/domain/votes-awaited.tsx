/** What a page that waits for people’s votes says of annotators, and where it leads. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/client";
import { useProject } from "../api/project";
import type { Setup } from "../api/schema";
import { ProjectButtonLink, type ProjectLink } from "../components/project-link";
import { Term } from "../components/term";
import { countOf } from "../lib/numbers";
import { importingStep, invitedWords, invitingStep, stepToVotes } from "./annotators";
import { FEWEST_RATERS } from "./rater-test";

/** A project’s setup; only leads get it. */
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

/** That the annotators there will be cannot tell whether a judge may replace one; nothing where they can. */
export function TooFewToReplace() {
  const setup = useSetup();
  if (!setup) return null;
  const expected = Math.max(setup.annotators_needed, setup.annotators_present + setup.invited);
  if (expected === 0 || expected >= FEWEST_RATERS) return null;
  return (
    <p>
      {countOf(expected, "annotator is", "annotators are")} too few to{" "}
      <Term name="alternative-annotator-test">test whether a judge can replace an annotator</Term>. You will
      still see which judge to trust.
    </p>
  );
}

/** Leads to people: to be invited, or to their open invitations; first to what they would judge. */
export function InviteButton() {
  const setup = useSetup();
  const step = setup && (importingStep(setup) ?? invitingStep(setup));
  return (
    <ProjectButtonLink page={step?.page ?? "people"} size="small" search={step?.search ?? {}}>
      {step?.words ?? "Invite annotators"}
    </ProjectButtonLink>
  );
}

interface VotesStepProps {
  readonly as: typeof ProjectLink | typeof ProjectButtonLink;
}

/** Leads to what comes next until people vote, as a link in a sentence or as a button. */
export function VotesStep({ as: Step }: VotesStepProps) {
  const setup = useSetup();
  if (!setup) return null;
  const { page, search, words } = stepToVotes(setup);
  return (
    <Step page={page} search={search}>
      {words}
    </Step>
  );
}
