/** Which answers programs settle without people, and how far that can be trusted. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { get, kept, keyOf, post, read, readPages } from "../../api/client";
import type { AppliedPolicy, AuditReport, AuditRow, Policy, SettledAnswer } from "../../api/schema";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { ConfirmDialog } from "../../components/dialog";
import { boundedCells } from "../../components/figure";
import { Choice, optionsOf } from "../../components/form";
import { Entry, EntryHead, EntryList } from "../../components/list";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { Pagination } from "../../components/pagination";
import { QueryView } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { type Column, numberColumn, Table } from "../../components/table";
import { Term } from "../../components/term";
import { AnswerCell } from "../../domain/answer";
import { LabelMark } from "../../domain/labels";
import { besideCertificates } from "../../domain/settled-notice";
import { WorkerNotice } from "../../domain/worker-notice";
import { countOf, formatPercent } from "../../lib/numbers";
import { useSearchState } from "../../lib/search-state";
import { CertificateSection } from "./certificate-section";
import { DecidedSection } from "./decided-section";
import { GuideSection } from "./guide-section";
import { PolicyForm } from "./policy-form";
import styles from "./prejudging.module.css";
import { RoutingSection } from "./routing-section";
import { countWords, headlineOf, isAtWork, isUnaudited, savedWords, stateWords, watchedWords } from "./words";

const ASK_AGAIN_AFTER = 1_000;
const ASK_AUDIT_AGAIN_AFTER = 5_000;
const SETTLED = "/api/projects/{slug}/prejudging/answers";

export function PrejudgingPage() {
  const project = useProject();
  useTitle("Pre-judging", project.name);
  const policy = useQuery({
    ...read("/api/projects/{slug}/prejudging", { slug: project.slug }),
    refetchInterval: ({ state }) => (isAtWork(state.data) ? ASK_AGAIN_AFTER : false),
  });
  useRenewal(project.slug, policy.data);
  const audit = useQuery({
    ...read("/api/projects/{slug}/prejudging/audit", { slug: project.slug }),
    refetchInterval: isAtWork(policy.data) ? ASK_AUDIT_AGAIN_AFTER : false,
  });
  const calibration = useQuery(read("/api/projects/{slug}/prejudging/calibration", { slug: project.slug }));
  const routing = useQuery(read("/api/projects/{slug}/prejudging/routing", { slug: project.slug }));
  const applications = policy.data?.applications ?? [];
  const isApplied = applications.some(({ state }) => state !== "undone");
  return (
    <Page>
      <PageHeader
        title={<Term name="pre-judging">Pre-judging</Term>}
        lead={audit.data && !calibration.isPending && headlineOf(audit.data, calibration.data?.sample)}
      />
      <WorkerNotice waiting={isAtWork(policy.data)} />
      {policy.data && policy.data.runs.length > 0 && calibration.data && (
        <Section title="Steps">
          <GuideSection policy={policy.data} calibration={calibration.data} audit={audit.data} />
        </Section>
      )}
      <DecidedSection
        slug={project.slug}
        isBegun={isApplied || (calibration.data?.sample ?? null) !== null}
      />
      {audit.data && audit.data.rules.length > 0 && (
        <Section
          title={
            <>
              <Term name="audit">Audit</Term> by people
            </>
          }
        >
          <SavedWork slug={project.slug} audit={audit.data} />
          <AuditSection audit={audit.data} />
        </Section>
      )}
      {policy.data && policy.data.runs.length > 0 && (
        <Section title={<Term name="certificate">Certificates</Term>}>
          <QueryView query={calibration}>
            {(found) => <CertificateSection slug={project.slug} calibration={found} isApplied={isApplied} />}
          </QueryView>
        </Section>
      )}
      <Section title={<Term name="policy">Policy</Term>}>
        <QueryView query={policy}>
          {(found) => (
            <PolicyForm
              key={found.saved_at ?? "new"}
              slug={project.slug}
              policy={found}
              calibration={calibration.data}
            />
          )}
        </QueryView>
      </Section>
      {applications.length > 0 && (
        <Section title="Policy applications">
          <ApplicationList slug={project.slug} applications={applications} />
        </Section>
      )}
      {policy.data && policy.data.runs.length > 0 && (
        <Section title={<Term name="routing">Routing</Term>}>
          <QueryView query={routing}>
            {(found) => <RoutingSection slug={project.slug} routing={found} />}
          </QueryView>
        </Section>
      )}
      {audit.data && audit.data.rules.length > 0 && (
        <Section title={<Term name="settle">Settled answers</Term>}>
          <SettledList slug={project.slug} audit={audit.data} />
        </Section>
      )}
    </Page>
  );
}

function SavedWork({ slug, audit }: { readonly slug: string; readonly audit: AuditReport }) {
  const protocol = useQuery(read("/api/projects/{slug}/protocol", { slug }));
  const words = savedWords(audit, protocol.data?.spec.raters_per_answer);
  return words && <p>{words}</p>;
}

/** What was read before an application went on is read anew: the worker settles answers in its own time. */
function useRenewal(slug: string, policy: Policy | undefined): void {
  const queryClient = useQueryClient();
  const states = policy?.applications.map(({ id, state }) => `${id} ${state}`).join();
  const seen = useRef(states);
  useEffect(() => {
    const before = seen.current;
    seen.current = states;
    if (before === undefined || before === states) return;
    void queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}", { slug }) });
  }, [queryClient, slug, states]);
}

interface ApplicationListProps {
  readonly slug: string;
  readonly applications: readonly AppliedPolicy[];
}

interface Undoing {
  readonly application: AppliedPolicy;
  /** Null for all of it. */
  readonly rule: AppliedPolicy["rules"][number] | null;
}

function ApplicationList({ slug, applications }: ApplicationListProps) {
  const [undoing, setUndoing] = useState<Undoing | null>(null);
  return (
    <>
      <EntryList>
        {applications.map((application) => (
          <Entry key={application.id}>
            <EntryHead>
              <h3>Application {application.number}</h3>
              <Badge tone={application.state === "done" ? "success" : "neutral"}>
                {stateWords(application)}
              </Badge>
              {isUnaudited(application) && <Badge tone="warning">unaudited</Badge>}
              <span className="soft">
                {application.applied_by} · <RelativeTime at={application.applied_at} />
              </span>
            </EntryHead>
            <ol className={styles["rules"]}>
              {application.rules.map((rule) => (
                <li key={rule.number}>
                  {rule.text}{" "}
                  {application.state === "done" && rule.decided + rule.drawn > 0 && (
                    <Button size="small" variant="quiet" onClick={() => setUndoing({ application, rule })}>
                      Undo
                      <span className="visually-hidden">
                        {" "}
                        rule {rule.number} of application {application.number}
                      </span>
                    </Button>
                  )}
                </li>
              ))}
            </ol>
            <p className="soft">
              {countWords(application)} · audit share {formatPercent(application.audit_share)}
              {application.undo_reason && ` · reason for undoing:  ${application.undo_reason}`}
            </p>
            {application.state === "done" && application.decided > 0 && (
              <div>
                <Button size="small" onClick={() => setUndoing({ application, rule: null })}>
                  Undo all
                </Button>
              </div>
            )}
          </Entry>
        ))}
      </EntryList>
      {undoing && (
        <UndoDialog
          slug={slug}
          application={undoing.application.id}
          rule={undoing.rule?.number ?? null}
          what={whatWords(undoing)}
          onClose={() => setUndoing(null)}
        />
      )}
    </>
  );
}

function whatWords({ application, rule }: Undoing): string {
  if (rule === null) return `all answers that application ${application.number} settled`;
  return `${countOf(rule.decided, "answer")} that rule ${rule.number} of application ${application.number} settled`;
}

/** What is undone is undone where applications are listed: who undoes beside a result keeps the lucky rules. */
function AuditSection({ audit }: { readonly audit: AuditReport }) {
  return (
    <>
      <Table
        folds
        caption="Audit of settled answers, by rule"
        columns={AUDIT_COLUMNS}
        rows={audit.rules}
        rowKey={(row) => String(row.number)}
        file={{ name: "audit-by-rule" }}
      />
      {besideCertificates(audit).map((words) => (
        <p key={words}>{words}</p>
      ))}
      <p className="soft">{watchedWords(audit)}</p>
    </>
  );
}

const AUDIT_COLUMNS: readonly Column<AuditRow>[] = [
  {
    key: "rule",
    header: "Rule",
    cell: (row) => `${row.number}. ${row.text}`,
    value: ({ number }) => number,
    csv: ({ number, text }) => ({ rule: number, text }),
  },
  numberColumn("matched", "Matched", ({ figures }) => figures.settled),
  numberColumn("audited", "Audited", ({ figures }) => figures.drawn),
  numberColumn("open", "Still open", ({ figures }) => figures.open),
  numberColumn("disagreed", "People disagreed", ({ figures }) => figures.disagreed),
  {
    key: "error_rate",
    header: "Observed error rate",
    explains: {
      about:
        "Of the audited answers decided so far, the share on which people disagreed with the rule, weighted by the inverse of each answer’s sampling probability. In at least 95 of 100 studies, the interval contains the error rate over all settled answers.",
    },
    align: "end",
    cell: ({ figures }) => (
      <span title={figures.words}>
        {hasNoAudit(figures) ? "unaudited" : formatPercent(figures.share.value)}
      </span>
    ),
    value: ({ figures }) => figures.share.value,
    csv: ({ figures: { share, unaudited } }) => ({ ...boundedCells("error_rate", share), unaudited }),
  },
  {
    key: "interval",
    header: "95% interval",
    align: "end",
    cell: ({ figures: { share } }) =>
      share.low === null ? "–" : `${formatPercent(share.low)} to ${formatPercent(share.high)}`,
  },
];

function hasNoAudit({ settled, unaudited }: AuditRow["figures"]): boolean {
  return settled > 0 && unaudited === settled;
}

interface SettledListProps {
  readonly slug: string;
  readonly audit: AuditReport;
}

function SettledList({ slug, audit }: SettledListProps) {
  const search = useSearchState();
  const rule = search.readNumber("rule", 0);
  const audited = search.read("audited");
  const filter = {
    cursor: search.read("cursor"),
    ...(rule > 0 && { rule }),
    ...(audited !== undefined && { audited: audited === "true" }),
  };
  const query = useQuery(kept(read(SETTLED, { slug }, filter)));
  const readAll = () =>
    readPages(
      (turn) => get(SETTLED, { slug }, { ...filter, ...turn }),
      (found) => found.answers,
    );
  return (
    <>
      <div className={styles["filter"]}>
        <Choice
          label="Rule"
          value={String(rule || "")}
          options={audit.rules.map(({ number, text }) => ({
            value: String(number),
            name: `${number}. ${text}`,
          }))}
          onChange={(rule) => search.write({ rule, cursor: undefined })}
          empty="Any"
        />
        <Choice
          label="Audit"
          value={audited}
          options={optionsOf({ false: "Not audited", true: "Audited" })}
          empty="Any"
          onChange={(audited) => search.write({ audited, cursor: undefined })}
        />
      </div>
      <QueryView query={query}>
        {(found) => (
          <>
            <Table
              folds
              caption="Settled answers"
              columns={SETTLED_COLUMNS}
              rows={found.answers}
              rowKey={(answer) => answer.id}
              keepsOrder
              file={{ name: "settled-answers", readAll }}
            />
            <Pagination label="Pages of settled answers" of={found} shown={found.answers.length} />
          </>
        )}
      </QueryView>
    </>
  );
}

const SETTLED_COLUMNS: readonly Column<SettledAnswer>[] = [
  {
    key: "answer",
    header: "Answer",
    cell: ({ id, answer, question }) => <AnswerCell {...{ id, answer, question }} />,
    csv: ({ id, answer, question }) => ({ id, question, answer }),
  },
  numberColumn("rule", "Rule", ({ rule }) => rule),
  {
    key: "label",
    header: "Rule’s label",
    cell: (row) => <LabelMark label={row.label} />,
    value: ({ label }) => label,
  },
  {
    key: "verdicts",
    header: "Verdicts",
    value: (row) =>
      row.verdicts.map(({ judge, accepted }) => `${judge} ${accepted ? "accepts" : "rejects"}`).join(", "),
  },
  {
    key: "people",
    header: "People’s decision",
    cell: (row) => {
      if (row.people) return <LabelMark label={row.people} />;
      return row.audited ? "not decided yet" : "not audited";
    },
    csv: ({ people, audited, audit_probability, settled_at, undone_at }) => ({
      people,
      audited: Number(audited),
      audit_probability,
      settled_at,
      undone_at,
    }),
  },
];

interface UndoDialogProps {
  readonly slug: string;
  readonly application: string;
  /** Null takes back all of it. */
  readonly rule: number | null;
  readonly what: string;
  readonly onClose: () => void;
}

function UndoDialog({ slug, application, rule, what, onClose }: UndoDialogProps) {
  return (
    <ConfirmDialog
      title="Return settled answers to annotators?"
      confirm="Undo"
      reasonLabel="Reason"
      onConfirm={(reason) =>
        post("/api/projects/{slug}/prejudging/undo", { slug }, { application, rule, reason })
      }
      stale={[keyOf("/api/projects/{slug}", { slug })]}
      onClose={onClose}
    >
      <p>
        Annotators will judge {what}. Decisions that people made after the policy was applied do not change.
        The rules stay in the policy, so remove any that you no longer want before you apply it again. The
        audit’s intervals already account for undone rules.
      </p>
    </ConfirmDialog>
  );
}
