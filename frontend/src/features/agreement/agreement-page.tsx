/** How far the raters agree: the headline in words, the coefficients, pair by pair, then part by part. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Agreement, PilotAgreement as PilotAgreementReport } from "../../api/schema";
import { useProject } from "../../api/project";
import { CsvButton } from "../../components/csv-button";
import { figureIn } from "../../components/figure";
import { Choice } from "../../components/form";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { explained } from "../../components/term";
import { FewNotice } from "../../domain/few-notice";
import { AwaitingState } from "../../domain/first-step";
import { Computing, useIntervals } from "../../domain/intervals";
import { SettledNotice } from "../../domain/settled-notice";
import { InvitationsAwaited, VotesStep } from "../../domain/votes-awaited";
import { LABEL_VIEWS, MISSING_VOTES } from "../../domain/vote-reading";
import { countOf } from "../../lib/numbers";
import { type SearchState, useSearchState } from "../../lib/search-state";
import styles from "./agreement-page.module.css";
import { Coefficients, LabelShares } from "./coefficients";
import { fileColumns } from "./columns";
import { Decisions } from "./decisions";
import { DisputedLink } from "./disputed-link";
import { PairMatrix } from "./pairs";
import { Readings, Slices } from "./parts";
import { PilotAgreement } from "./pilot-agreement";
import { agreementQuery, type AgreementWay, wayOf } from "./way";
import { headline, leftOutWords } from "./words";

export function AgreementPage() {
  const project = useProject();
  useTitle("Agreement", project.name);
  const search = useSearchState();
  const way = wayOf(search);
  const { query, computing } = useIntervals((intervals) => agreementQuery(project.slug, way, intervals));
  const isLead = project.role === "lead";
  const { data: pilots = [] } = useQuery({
    ...read("/api/projects/{slug}/agreement/pilots", { slug: project.slug }),
    enabled: isLead,
  });
  return (
    <Page>
      <PageHeader title="Agreement" />
      <SettledNotice page="agreement" />
      <QueryView query={query}>
        {(report) =>
          isEmpty(report, way) ? (
            <NothingYet pilots={pilots} />
          ) : (
            <Report report={report} way={way} search={search} computing={computing} />
          )
        }
      </QueryView>
      <Decisions />
      <PilotAgreement pilots={pilots} />
    </Page>
  );
}

interface ReportProps {
  readonly report: Agreement;
  readonly way: AgreementWay;
  readonly search: SearchState;
  readonly computing: ReturnType<typeof useIntervals>["computing"];
}

function Report({ report, way, search, computing }: ReportProps) {
  return (
    <>
      <div className={styles["headline"]}>
        <div>
          <Headline report={report} />
          {report.left_out > 0 && <p className="soft">{leftOutWords(report.left_out)}</p>}
          <Computing query={computing} />
        </div>
        <Choices report={report} way={way} write={search.write} />
      </div>
      {report.items > 0 && <Figures report={report} way={way} search={search} />}
    </>
  );
}

function Headline({ report }: { readonly report: Agreement }) {
  const thing = report.check_key === "" ? "answer" : "question";
  if (report.items === 0) {
    return <p className={styles["sentence"]}>No {thing} has two votes under the current settings.</p>;
  }
  return <p className={styles["sentence"]}>{headline(report, thing)}</p>;
}

function isEmpty(report: Agreement, way: AgreementWay): boolean {
  return report.items === 0 && report.checks.length === 0 && way.missingVotes !== "drop";
}

function NothingYet({ pilots }: { readonly pilots: readonly PilotAgreementReport[] }) {
  if (pilots.length > 0) {
    return (
      <p className={styles["sentence"]}>
        Outside the pilot, no answer has votes from two annotators yet.{" "}
        {pilots.some(({ outcome }) => outcome === "")
          ? "A pilot is in progress. Its agreement so far is shown below."
          : "The agreement in the pilot is shown below."}
      </p>
    );
  }
  return (
    <AwaitingState
      title="Agreement among annotators appears here"
      action={<VotesStep as={ProjectButtonLink} />}
    >
      <p>Agreement requires answers that two annotators have judged. Tie-break votes do not count.</p>
      <InvitationsAwaited />
    </AwaitingState>
  );
}

function Figures({ report, way, search }: Omit<ReportProps, "computing">) {
  const isOfAnswers = way.check === "";
  // Nothing was judged twice: five times “undefined” would say no more than the headline.
  if (figureIn(report.figures, "observed_agreement").value === null) {
    return (
      <Section title="Label distribution">
        <LabelShares report={report} />
      </Section>
    );
  }
  return (
    <>
      <FewNotice count={report.items} thing={isOfAnswers ? "answer" : "question"} />
      <Section title="Coefficients">
        <Coefficients report={report} />
        <div className={styles["below"]}>
          <CsvButton
            name="agreement"
            columns={[{ key: "missing_votes", value: () => way.missingVotes }, ...fileColumns<Agreement>()]}
            rows={[report]}
            signature={report.signature}
          />
        </div>
      </Section>
      {isOfAnswers && report.label_views.length > 1 && (
        <Section title="Label groupings">
          <Readings report={report} way={way} />
        </Section>
      )}
      <Section title="Pairs of annotators">
        <PairMatrix report={report} way={way} />
      </Section>
      <Section title="Label distribution">
        <LabelShares report={report} />
      </Section>
      <Section title="Breakdown">
        <Slices
          way={way}
          isOrdered={isOfAnswers && report.labels === "as-labelled" && report.label_views.length > 1}
          search={search}
        />
      </Section>
      {report.disagreements > 0 && (
        <Section title="Underlying votes">
          <p>
            <DisputedLink way={way} count={report.disagreements}>
              View the {countOf(report.disagreements, isOfAnswers ? "answer" : "question")} on which
              first-round annotators disagree
            </DisputedLink>
          </p>
        </Section>
      )}
    </>
  );
}

/** What is compared and how: answers or a check, the reading of labels, the rule for missing votes. */
interface ChoicesProps {
  readonly report: Agreement;
  readonly way: AgreementWay;
  readonly write: SearchState["write"];
}

function Choices({ report, way, write }: ChoicesProps) {
  const views = LABEL_VIEWS.filter(({ value }) => report.label_views.includes(value));
  return (
    <div className={styles["rule"]}>
      {report.checks.length > 0 && (
        <Choice
          label="Compare"
          value={way.check}
          options={report.checks.map(({ key, text }) => ({ value: key, name: `Check: ${text}` }))}
          onChange={(check) => write({ check, labels: undefined, by: undefined })}
          empty="Answer labels"
        />
      )}
      {views.length > 1 && (
        <Choice
          label="Label grouping"
          value={way.labels}
          options={views}
          onChange={(labels) => write({ labels })}
        />
      )}
      {way.check === "" && (
        <Choice
          label="Missing votes"
          explains={explained("missing-vote")}
          value={way.missingVotes}
          options={MISSING_VOTES}
          onChange={(missing) => write({ missing })}
        />
      )}
      <p className="soft">{report.rule_text}</p>
    </div>
  );
}
