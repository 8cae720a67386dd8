/** The sample that people alone judge, and what was certified by it. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { del, keyOf, patch, post, read } from "../../api/client";
import type { CalibrationState, CertificateLine, SampleProgress } from "../../api/schema";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { Checkbox, Refusal, TextField } from "../../components/form";
import { Entry, EntryHead, EntryList } from "../../components/list";
import { PlotFigure } from "../../components/plot-figure";
import { ProgressBar } from "../../components/progress-bar";
import { ProjectLink } from "../../components/project-link";
import { RelativeTime } from "../../components/relative-time";
import { type Column, numberColumn, Table } from "../../components/table";
import { Term, explained } from "../../components/term";
import { useWrite } from "../../components/use-write";
import { USUAL_CALIBRATION } from "../../domain/sample";
import { countOf, formatCount, formatPercent } from "../../lib/numbers";
import {
  AFTER_REFUSAL,
  CERTIFICATE_PROMISE,
  certificateState,
  CLOSING,
  costOfSample,
  formatSureness,
  GIVING_UP,
  HOLD,
  HOLD_HINT,
  HOLDING,
  IN_ORDER,
  isCount,
  judgmentsWords,
  nextWords,
  NOT_HOLDING,
  sampleWords,
  type Level,
  levelsOf,
} from "./certificate-words";
import styles from "./prejudging.module.css";
import { drawRisk } from "./risk-chart";

interface CertificateSectionProps {
  readonly slug: string;
  readonly calibration: CalibrationState;
  /** A policy is in force: what its rules could settle is settled. */
  readonly isApplied: boolean;
}

export function CertificateSection({ slug, calibration, isApplied }: CertificateSectionProps) {
  const { sample, certificates } = calibration;
  return (
    <div className={styles["form"]}>
      <p className="soft">{CERTIFICATE_PROMISE}</p>
      {sample ? (
        <StandingSample
          slug={slug}
          sample={sample}
          next={nextWords(certificates, isApplied)}
          hasOthers={calibration.drawable > 0 && !(isApplied && !sample.holds_others)}
        />
      ) : (
        <DrawForm slug={slug} drawable={calibration.drawable} />
      )}
      {certificates.length > 0 && (
        <EntryList>
          {certificates.map((certificate) => (
            <CertificateEntry key={certificate.id} certificate={certificate} />
          ))}
        </EntryList>
      )}
    </div>
  );
}

function DrawForm({ slug, drawable }: { readonly slug: string; readonly drawable: number }) {
  const [size, setSize] = useState(String(Math.min(USUAL_CALIBRATION, drawable)));
  const [holdsOthers, setHoldsOthers] = useState(true);
  const [isTried, setTried] = useState(false);
  const protocol = useQuery(read("/api/projects/{slug}/protocol", { slug }));
  const draw = useWrite(
    () =>
      post(
        "/api/projects/{slug}/prejudging/calibration",
        { slug },
        { size: Number(size), holds_others: holdsOthers },
      ),
    { note: "Sample created.", stale: [keyOf("/api/projects/{slug}/prejudging", { slug })] },
  );
  if (drawable === 0) {
    return (
      <p>
        There are no <Term name="open-answer">open answers</Term> that a rule could settle. Import more
        answers to create a sample.
      </p>
    );
  }
  return (
    <>
      <div className={styles["share"]}>
        <TextField
          label="Sample size"
          explains={explained("calibration-sample")}
          hint={costOfSample(drawable)}
          inputMode="numeric"
          value={size}
          error={isTried && !isCount(size) ? "Enter a whole number from 1 to 10,000." : null}
          onChange={setSize}
        />
      </div>
      <p className="soft">{judgmentsWords(size, protocol.data?.spec.raters_per_answer)}</p>
      <Checkbox label={HOLD} hint={HOLD_HINT} checked={holdsOthers} onChange={setHoldsOthers} />
      <Refusal error={draw.error} />
      <div className="row">
        <Button
          busy={draw.isPending}
          onClick={() => {
            setTried(true);
            if (isCount(size)) draw.mutate();
          }}
        >
          Create sample
        </Button>
      </div>
    </>
  );
}

interface StandingSampleProps {
  readonly slug: string;
  readonly sample: SampleProgress;
  /** What follows once people have decided it. */
  readonly next: string;
  /** There are open answers besides the sample's, and raters do not simply get them all. */
  readonly hasOthers: boolean;
}

function StandingSample({ slug, sample, next, hasOthers }: StandingSampleProps) {
  const drop = useWrite(() => del("/api/projects/{slug}/prejudging/calibration", { slug }), {
    note: "Sample closed.",
    stale: [keyOf("/api/projects/{slug}/prejudging", { slug })],
    refusal: "note",
  });
  const hold = useWrite(
    () =>
      patch("/api/projects/{slug}/prejudging/calibration", { slug }, { holds_others: !sample.holds_others }),
    {
      note: sample.holds_others
        ? "Annotators now get all open answers."
        : "Annotators now get only this sample.",
      stale: [keyOf("/api/projects/{slug}/prejudging", { slug })],
      refusal: "note",
    },
  );
  return (
    <>
      <p>
        {sampleWords(sample, next)}{" "}
        {sample.waiting > 0 && <ProjectLink page="queue">Open the queue</ProjectLink>}
      </p>
      <ProgressBar label="Sample answers decided" done={sample.decided} total={sample.drawn - sample.gone} />
      {hasOthers && (
        <>
          <p className="soft">{sample.holds_others ? HOLDING : NOT_HOLDING}</p>
          <div className="row">
            <Button size="small" busy={hold.isPending} onClick={() => hold.mutate()}>
              {sample.holds_others ? "Give annotators all answers" : "Give annotators only this sample"}
            </Button>
          </div>
        </>
      )}
      <div className="row">
        <Button size="small" variant="quiet" busy={drop.isPending} onClick={() => drop.mutate()}>
          Close sample
        </Button>
        <span className="soft">{sample.open > 0 ? GIVING_UP : CLOSING}</span>
      </div>
    </>
  );
}

function CertificateEntry({ certificate }: { readonly certificate: CertificateLine }) {
  const { words, tone } = certificateState(certificate);
  return (
    <Entry>
      <EntryHead>
        <h3>
          Certificate {certificate.sample}.{certificate.number}
        </h3>
        <Badge tone={tone}>{words}</Badge>
        <span className="soft">
          {certificate.made_by} · <RelativeTime at={certificate.made_at} />
        </span>
      </EntryHead>
      <p>{certificate.text}</p>
      <p>{certificate.words}</p>
      {certificate.threshold === null && <p>{AFTER_REFUSAL}</p>}
      {certificate.lapse && (
        <p role="status">
          <strong>
            Lapsed
            {certificate.lapsed_at && (
              <>
                {" "}
                <RelativeTime at={certificate.lapsed_at} />
              </>
            )}
            :
          </strong>{" "}
          <span>{certificate.lapse}</span> Certify the rule again.
        </p>
      )}
      <Table
        folds
        keepsOrder
        caption={`Error rates and risk, certificate ${certificate.sample}.${certificate.number}`}
        columns={LEVEL_COLUMNS}
        rows={levelsOf(certificate)}
        rowKey={({ name }) => name}
        file={{ name: `error-rates-and-risk-certificate-${certificate.sample}-${certificate.number}` }}
      />
      {certificate.caution && <p className="soft">{certificate.caution}</p>}
      {certificate.curve.length > 0 && (
        <details>
          <summary>
            Share settled and error rate
            <span className="visually-hidden">
              {" "}
              (certificate {certificate.sample}.{certificate.number})
            </span>
          </summary>
          <PlotFigure
            title={`Share settled and error rate, certificate ${certificate.sample}.${certificate.number}`}
            note={`for ${countOf(certificate.curve.length, "threshold")}.`}
            marks={[
              { shape: "line", color: "var(--chart-1)", look: "blue line", name: "observed error rate" },
              { shape: "line", color: "var(--chart-muted)", look: "gray line", name: "upper bound" },
            ]}
            draw={drawRisk}
            of={certificate}
            height={17}
          />
          <p className="soft">{IN_ORDER}</p>
          <Table
            folds
            keepsOrder
            caption={`Share settled and error rate, certificate ${certificate.sample}.${certificate.number}`}
            columns={CURVE_COLUMNS}
            rows={certificate.curve}
            rowKey={(point) => String(point.threshold)}
            file={{
              name: `share-settled-and-error-rate-certificate-${certificate.sample}-${certificate.number}`,
            }}
          />
        </details>
      )}
    </Entry>
  );
}

const LEVEL_COLUMNS: readonly Column<Level>[] = [
  { key: "statistic", header: "Statistic", value: ({ name }) => name },
  numberColumn("value", "Value", ({ share }) => share, { format: formatPercent }),
  { key: "meaning", header: "Meaning", value: ({ meaning }) => meaning },
];

type Point = CertificateLine["curve"][number];

function errorRateOf({ errors, labels }: Point): number | null {
  return labels === 0 ? null : errors / labels;
}

const CURVE_COLUMNS: readonly Column<Point>[] = [
  {
    key: "threshold",
    header: "Minimum confidence",
    align: "end",
    value: ({ threshold }) => threshold,
    format: formatSureness,
  },
  {
    key: "settled_share",
    header: "Share settled",
    explains: {
      about:
        "Of the answers that the calibration sample represents, the share that the rule settles. The sample represents all answers that rules could settle when it was created, except any that people have since judged as part of other work.",
    },
    align: "end",
    value: ({ settled_share }) => settled_share,
    format: formatPercent,
  },
  {
    key: "error_rate",
    header: "Observed error rate",
    explains: explained("error-rate"),
    align: "end",
    cell: ({ errors, labels }) =>
      labels === 0
        ? "–"
        : `${formatPercent(errors / labels)} (${formatCount(errors)} of ${formatCount(labels)})`,
    value: errorRateOf,
    csv: (point) => ({ error_rate: errorRateOf(point), errors: point.errors, labels: point.labels }),
  },
  {
    key: "upper",
    header: "Upper bound",
    align: "end",
    value: ({ upper }) => upper,
    format: formatPercent,
  },
];
