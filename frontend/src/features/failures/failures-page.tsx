/** Why answers and verdicts came out as they did: what was tagged so far, and the rounds. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Tagging, TaggingRound } from "../../api/schema";
import { useProject } from "../../api/project";
import { Entry, EntryHead, EntryList, More } from "../../components/list";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { ProgressBar } from "../../components/progress-bar";
import { ProjectButtonLink, ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { Term } from "../../components/term";
import { AwaitingState } from "../../domain/first-step";
import { SettledNotice } from "../../domain/settled-notice";
import { countOf } from "../../lib/numbers";
import { useSearchState } from "../../lib/search-state";
import { RoundResults } from "./round-results";
import { filterWords, progressUnit, proposedWords, subjectOf } from "./words";

export function FailuresPage() {
  const project = useProject();
  useTitle("Failures", project.name);
  const query = useQuery(read("/api/projects/{slug}/tagging", { slug: project.slug }));
  const isLead = project.role === "lead";
  return (
    <Page>
      <PageHeader
        title={<Term name="failure-mode">Failures</Term>}
        lead={query.data && headlineOf(query.data)}
        actions={
          // While there is none, the page itself offers it.
          isLead &&
          query.data?.rounds.length !== 0 && (
            <ProjectButtonLink page="failures/new" variant="primary">
              Create round
            </ProjectButtonLink>
          )
        }
      />
      <SettledNotice page="failures" />
      <QueryView query={query}>
        {({ rounds }) =>
          rounds.length === 0 ? <NothingTagged isLead={isLead} /> : <Rounds rounds={rounds} />
        }
      </QueryView>
    </Page>
  );
}

function headlineOf({ rounds }: Tagging): string {
  const begun = rounds.filter(({ done }) => done > 0);
  const done = begun.reduce((sum, round) => sum + round.done, 0);
  return begun.length === 0
    ? "No answers or verdicts have been tagged yet."
    : `${countOf(done, "item")} tagged in ${countOf(begun.length, "round")}.`;
}

function NothingTagged({ isLead }: { readonly isLead: boolean }) {
  return (
    <AwaitingState
      then="Then people judge and decide."
      title="Reasons for failures appear here"
      action={
        isLead && (
          <ProjectButtonLink page="failures/new" variant="primary">
            Create round
          </ProjectButtonLink>
        )
      }
    >
      <p>
        A round is a sample of decided answers, such as those that people accept and exact match rejects.
        People tag each answer with the reason for the failure. This page then shows the share of each tag
        with its interval.
      </p>
    </AwaitingState>
  );
}

/** Where the items of a round come from, and what people made of what was proposed. */
function roundWords(round: TaggingRound): string {
  const from = countOf(round.population, subjectOf(round.subject));
  const words = [
    round.filter.by_hand ? "not a random sample" : `sampled from ${from} with seed ${round.seed}`,
    round.taggers.length > 0 && `taggers: ${round.taggers.join(", ")}`,
    proposedWords(round),
  ];
  return words.filter(Boolean).join(" · ");
}

function Rounds({ rounds }: { readonly rounds: readonly TaggingRound[] }) {
  const opened = useSearchState().read("round");
  return (
    <Section title={<Term name="tagging-round">Rounds</Term>}>
      <EntryList>
        {rounds.map((round) => (
          <Entry key={round.id}>
            <EntryHead>
              <ProjectLink page={`failures/${round.id}`}>
                <strong>{round.name}</strong>
              </ProjectLink>
              <span className="soft">
                {round.set_name !== round.name && `${round.set_name} · `}
                {filterWords(round.filter, round.judge)}
              </span>
            </EntryHead>
            <ProgressBar
              label={`Tagged in ${round.name}`}
              done={round.done}
              total={round.total}
              unit={progressUnit(round)}
            />
            <p className="soft">{roundWords(round)}</p>
            {round.done > 0 && (
              <More summary="Results" open={round.id === opened}>
                <RoundResults round={round} />
              </More>
            )}
          </Entry>
        ))}
      </EntryList>
    </Section>
  );
}
