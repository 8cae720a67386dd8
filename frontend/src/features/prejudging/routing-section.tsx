/** One rater first, and no other where a judge agrees: tried on the study, switched on, and what came of it. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { kept, keyOf, post, read } from "../../api/client";
import type { ReplayedRouting, RoutingLine, RoutingReplay, RoutingState } from "../../api/schema";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { ConfirmDialog } from "../../components/dialog";
import { boundedColumn } from "../../components/figure";
import { Choice, Refusal, TextField } from "../../components/form";
import { Entry, EntryHead, EntryList } from "../../components/list";
import { Notice } from "../../components/notice";
import { QueryView } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { type Column, numberColumn, Table } from "../../components/table";
import { useWrite } from "../../components/use-write";
import { countOf, formatFixedNumber, formatPercent } from "../../lib/numbers";
import styles from "./prejudging.module.css";
import {
  auditWords,
  choiceWords,
  isAuditShare,
  keyOfThreshold,
  lineWords,
  progressWords,
  REPLAY_PROMISE,
  ROUTING_PROMISE,
  routingState,
  savingWords,
  thresholdWords,
  usualChoice,
  usualRun,
} from "./routing-words";
import { runWords } from "./words";

interface RoutingSectionProps {
  readonly slug: string;
  readonly routing: RoutingState;
}

export function RoutingSection({ slug, routing }: RoutingSectionProps) {
  const { rules, runs, why_not, figures } = routing;
  const isOn = rules.some(({ state }) => state === "on");
  return (
    <div className={styles["form"]}>
      <p className="soft">{ROUTING_PROMISE}</p>
      {figures && (
        <Notice tone="info">
          <p>{progressWords(figures)}</p>
          {figures.weighed > 0 && <p>{auditWords(figures)}</p>}
        </Notice>
      )}
      {!isOn &&
        (why_not || runs.length === 0 ? <WhyNot words={why_not} /> : <RoutingForm slug={slug} runs={runs} />)}
      {rules.length > 0 && <RuleList slug={slug} rules={rules} />}
    </div>
  );
}

function WhyNot({ words }: { readonly words: string }) {
  return <p>{words || "Routing needs a judge that has finished. Start a judge, then come back."}</p>;
}

interface RoutingFormProps {
  readonly slug: string;
  readonly runs: RoutingState["runs"];
}

function RoutingForm({ slug, runs }: RoutingFormProps) {
  const [run, setRun] = useState(() => usualRun(runs));
  const [percent, setPercent] = useState("5");
  const isUsable = isAuditShare(percent);
  const audit_share = isUsable ? Number(percent) / 100 : 0.05;
  const replay = useQuery(
    kept(read("/api/projects/{slug}/prejudging/routing/replay", { slug }, { run, audit_share })),
  );
  return (
    <>
      <div className={styles["share"]}>
        <Choice
          label="Judge"
          value={run}
          options={runs.map((each) => ({ value: each.id, name: runWords(each) }))}
          onChange={setRun}
        />
        <TextField
          label="Routing audit share (%)"
          hint="Random share of answers that go through the full protocol even though the annotator and the judge agree. Annotators cannot tell which ones they are."
          inputMode="decimal"
          value={percent}
          error={isUsable ? null : "Enter a number from 1 to 100."}
          onChange={setPercent}
        />
      </div>
      <QueryView query={replay}>
        {(found) => <Replay key={found.run} slug={slug} replay={found} isUsable={isUsable} />}
      </QueryView>
    </>
  );
}

interface ReplayProps {
  readonly slug: string;
  readonly replay: RoutingReplay;
  readonly isUsable: boolean;
}

function Replay({ slug, replay, isUsable }: ReplayProps) {
  const [chosen, setChosen] = useState(() => usualChoice(replay.rows));
  const row = replay.rows.find(({ threshold }) => keyOfThreshold(threshold) === chosen);
  const start = useWrite(
    () =>
      post(
        "/api/projects/{slug}/prejudging/routing",
        { slug },
        { run: replay.run, threshold: row?.threshold ?? null, audit_share: replay.audit_share },
      ),
    { note: "Routing is on.", stale: [keyOf("/api/projects/{slug}", { slug })] },
  );
  if (replay.rows.length === 0) return <p>{replay.why_not}</p>;
  return (
    <>
      <p>{REPLAY_PROMISE}</p>
      <Table
        caption={`Routing tested on ${countOf(replay.answers, "answer")} judged in full`}
        columns={REPLAY_COLUMNS}
        rows={replay.rows}
        rowKey={({ threshold }) => keyOfThreshold(threshold)}
        file={{ name: "routing", signature: replay.signature }}
      />
      <Choice
        label="Minimum confidence"
        hint={row && savingWords(row)}
        value={chosen}
        options={replay.rows.map((each) => ({
          value: keyOfThreshold(each.threshold),
          name: choiceWords(each),
        }))}
        onChange={setChosen}
      />
      <Refusal error={start.error} />
      <div className="row">
        <Button busy={start.isPending} disabled={!isUsable} onClick={() => start.mutate()}>
          Turn on routing
        </Button>
      </div>
    </>
  );
}

const two = (value: number) => formatFixedNumber(value, 2);
const share = (value: number) => formatPercent(value);

const REPLAY_COLUMNS: readonly Column<ReplayedRouting>[] = [
  {
    key: "threshold",
    header: "Minimum confidence",
    cell: ({ threshold }) => thresholdWords(threshold),
    value: ({ threshold }) => threshold,
  },
  numberColumn("labels_an_answer", "Labels per answer", (row) => row.labels_an_answer, { format: two }),
  numberColumn("fixed", "Labels per answer without routing", (row) => row.fixed, { format: two }),
  numberColumn("stopped_share", "Settled with one annotator", (row) => row.stopped_share, { format: share }),
  boundedColumn("same_share", "Same final label", (row) => row.same_share),
];

interface Ending {
  readonly rule: RoutingLine;
  readonly givesBack: boolean;
}

function RuleList({ slug, rules }: { readonly slug: string; readonly rules: readonly RoutingLine[] }) {
  const [ending, setEnding] = useState<Ending | null>(null);
  return (
    <>
      <EntryList>
        {rules.map((rule) => (
          <Entry key={rule.id}>
            <EntryHead>
              <h3>Routing {rule.number}</h3>
              <Badge tone={routingState(rule).tone}>{routingState(rule).words}</Badge>
              <span className="soft">
                {rule.started_by} · <RelativeTime at={rule.started_at} />
              </span>
            </EntryHead>
            <p>{rule.text}</p>
            <p className="soft">{lineWords(rule)}</p>
            <div className="row">
              {rule.state === "on" && (
                <Button size="small" onClick={() => setEnding({ rule, givesBack: false })}>
                  Turn off
                  <span className="visually-hidden"> routing {rule.number}</span>
                </Button>
              )}
              {rule.state !== "undone" && (
                <Button size="small" variant="quiet" onClick={() => setEnding({ rule, givesBack: true })}>
                  Undo
                  <span className="visually-hidden"> routing {rule.number}</span>
                </Button>
              )}
            </div>
          </Entry>
        ))}
      </EntryList>
      {ending && <EndDialog slug={slug} {...ending} onClose={() => setEnding(null)} />}
    </>
  );
}

interface EndDialogProps extends Ending {
  readonly slug: string;
  readonly onClose: () => void;
}

function EndDialog({ slug, rule, givesBack, onClose }: EndDialogProps) {
  return (
    <ConfirmDialog
      title={givesBack ? "Undo routing?" : "Turn off routing?"}
      confirm={givesBack ? "Undo routing" : "Turn off"}
      reasonLabel={givesBack ? "Reason" : undefined}
      onConfirm={(reason) =>
        post(
          "/api/projects/{slug}/prejudging/routing/{routing_id}/end",
          { slug, routing_id: rule.id },
          { gives_back: givesBack, reason },
        )
      }
      stale={[keyOf("/api/projects/{slug}", { slug })]}
      note={givesBack ? "Routing undone." : "Routing is off."}
      onClose={onClose}
    >
      <p>
        {givesBack
          ? "More annotators will judge the answers that one annotator and the judge settled. Votes are not deleted, and the history shows what was undone."
          : "Open answers go to as many annotators as the protocol requires. Answers that one annotator and the judge have settled stay settled, but you can still undo the routing."}
      </p>
    </ConfirmDialog>
  );
}
