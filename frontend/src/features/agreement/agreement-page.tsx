/** How far the raters agree: the headline in words, the coefficients side by side, then pair by pair. */
import { useQuery } from "@tanstack/react-query";
import { agreementQuery } from "../../api/agreement/agreement";
import type { AgreementReport } from "../../api/contract";
import { useProject } from "../../api/projects/project";
import { AgreementNav } from "../../components/agreement-nav";
import { EmptyState } from "../../components/empty-state";
import { Select } from "../../components/field";
import { Page, Section } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { ProjectButtonLink, ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { useSearchState } from "../../lib/search-state";
import { useTitle } from "../../lib/title";
import styles from "./agreement-page.module.css";
import { Coefficients } from "./coefficients";
import { LabelShares } from "./label-shares";
import { PairMatrix } from "./pair-matrix";
import { headline, MISSING_VOTES, ruleOf } from "./words";

export function AgreementPage() {
  const project = useProject();
  useTitle("Agreement", project.name);
  const search = useSearchState();
  const rule = ruleOf(search.read("missing"));
  const query = useQuery(agreementQuery(project.slug, rule));
  return (
    <Page>
      <PageHeader title="Agreement" />
      <AgreementNav current="agreement" />
      <QueryView query={query}>
        {(report) =>
          report.items === 0 ? (
            <NothingToCompare />
          ) : (
            <Report report={report} rule={rule} onRule={(next) => search.write({ missing: next })} />
          )
        }
      </QueryView>
    </Page>
  );
}

function NothingToCompare() {
  return (
    <EmptyState
      title="This page will say how far the raters agree"
      action={<ProjectButtonLink page="people">Invite annotators</ProjectButtonLink>}
    >
      <p>It needs answers that two raters have judged. Third votes that break a tie never count here.</p>
    </EmptyState>
  );
}

interface ReportProps {
  readonly report: AgreementReport;
  readonly rule: string;
  readonly onRule: (rule: string) => void;
}

function Report({ report, rule, onRule }: ReportProps) {
  return (
    <>
      <div className={styles["headline"]}>
        <p className={styles["sentence"]}>{headline(report)}</p>
        <div className={styles["rule"]}>
          <Select
            label="A missing vote counts as"
            value={rule}
            onChange={(event) => onRule(event.target.value)}
          >
            {MISSING_VOTES.map((option) => (
              <option key={option.value} value={option.value}>
                {option.name}
              </option>
            ))}
          </Select>
          <p className={styles["soft"]}>{report.rule_text}</p>
        </div>
      </div>
      <Section title="Coefficients">
        <Coefficients report={report} />
      </Section>
      <Section title="Rater by rater">
        <PairMatrix report={report} />
      </Section>
      <Section title="What was said how often">
        <LabelShares report={report} />
      </Section>
      <Section title="The rows behind it">
        <p>
          <ProjectLink page="answers" search={{ state: "disagreement" }}>
            See the answers on which the first raters differ
          </ProjectLink>
        </p>
      </Section>
    </>
  );
}
