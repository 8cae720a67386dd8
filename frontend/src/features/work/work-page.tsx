/** How the work is handed out: who judges what, and what will wait for want of raters. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { WorkEvent } from "../../api/schema";
import { useProject } from "../../api/project";
import { Entry, EntryList, More } from "../../components/list";
import { Notice } from "../../components/notice";
import { Page, PageHeader, useTitle } from "../../components/page";
import { QueryView } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { Term } from "../../components/term";
import { annotatorsNeededWords, invitedWords, tieBreakWords } from "../../domain/annotators";
import { InviteButton, useSetup } from "../../domain/votes-awaited";
import { countOf } from "../../lib/numbers";
import { PilotSection } from "./pilot";
import { PlanSection } from "./plan-section";
import { RaterSection } from "./rater-section";

export function WorkPage() {
  const project = useProject();
  useTitle("Work plan", project.name);
  const query = useQuery(read("/api/projects/{slug}/work", { slug: project.slug }));
  return (
    <Page>
      <PageHeader
        title={<Term name="work-plan">Work plan</Term>}
        lead={
          <>
            Decide who judges which answers. Changes take effect with each{" "}
            <Term name="annotator">annotator’s</Term> next <Term name="sheet">sheet</Term>.
          </>
        }
      />
      <QueryView query={query}>
        {(plan) => (
          <>
            {plan.shortage !== "" && <Shortage words={plan.shortage} />}
            <PilotSection slug={project.slug} />
            <PlanSection plan={plan} />
            <RaterSection slug={project.slug} raters={plan.raters} />
            <History events={plan.events} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function Shortage({ words }: { readonly words: string }) {
  const setup = useSetup();
  // The protocol may need more people than each answer does, which would seem another number of them.
  const lacking = setup && annotatorsNeededWords(setup) && tieBreakWords(setup);
  const invited = setup && invitedWords(setup);
  return (
    <Notice tone={invited && setup.annotators_present === 0 ? "info" : "warning"} actions={<InviteButton />}>
      <p>{words}</p>
      {lacking && <p>{lacking}</p>}
      {invited && <p>{invited}</p>}
    </Notice>
  );
}

function History({ events }: { readonly events: readonly WorkEvent[] }) {
  if (events.length === 0) return null;
  return (
    <More summary="Activity">
      <EntryList>
        {events.map((event) => (
          <Entry key={`${event.at} ${event.kind}`}>
            <p>
              <span dir="auto">{event.by}</span> {wordsOf(event)} · <RelativeTime at={event.at} />
            </p>
          </Entry>
        ))}
      </EntryList>
    </More>
  );
}

function wordsOf(event: WorkEvent): string {
  const taken = `${countOf(event.sheets, "sheet")} (${countOf(event.answers, "answer")})`;
  switch (event.kind) {
    case "paused":
      return `paused ${event.rater}`;
    case "resumed":
      return `let ${event.rater} continue`;
    case "taken_back":
      return `recalled ${taken} from ${event.rater}`;
    case "pilot_begun":
      return "started the pilot";
    case "pilot_ended":
      return "ended the pilot";
  }
}
