/** With or without a certificate: which one a rule carries, and asking for one. */
import { useState } from "react";
import { keyOf, post } from "../../api/client";
import type { CalibrationState } from "../../api/schema";
import { Button } from "../../components/button";
import { FormDialog } from "../../components/dialog";
import { Choice, TextField } from "../../components/form";
import { Notice } from "../../components/notice";
import { useWrite } from "../../components/use-write";
import { CERTIFICATE_LIMITS, certificatesOf, isLevel, optionWords } from "./certificate-words";
import { isAlone, requestOf, type RuleDraft } from "./draft";

interface RuleCertificateProps {
  readonly slug: string;
  readonly rules: readonly RuleDraft[];
  readonly place: number;
  readonly calibration: CalibrationState | undefined;
  readonly onChange: (certificate: string) => void;
}

export function RuleCertificate({ slug, rules, place, calibration, onChange }: RuleCertificateProps) {
  const [isAsking, setAsking] = useState(false);
  const rule = rules[place];
  const isReady = calibration?.sample?.open === 0 && rule !== undefined && !isAlone(rule);
  if (!rule || rule.runs.length === 0 || !calibration) return null;
  const fitting = certificatesOf(rule, calibration.certificates);
  const lapse = fitting.find(({ id }) => id === rule.certificate)?.lapse;
  if (fitting.length === 0 && !isReady) return null;
  return (
    <>
      {fitting.length > 0 && (
        <Choice
          label={`Rule ${place + 1}: certificate`}
          value={rule.certificate}
          options={fitting.map((each) => ({ value: each.id, name: optionWords(each) }))}
          empty="No certificate"
          onChange={(certificate) => onChange(certificate ?? "")}
        />
      )}
      {lapse && (
        <Notice tone="warning">
          <p>
            The certificate of rule {place + 1} has lapsed. {lapse} Certify the rule again, or apply it
            without a certificate.
          </p>
        </Notice>
      )}
      {isReady && (
        <div className="row">
          <Button size="small" onClick={() => setAsking(true)}>
            Certify this rule
            <span className="visually-hidden">{` (${String(place + 1)})`}</span>
          </Button>
        </div>
      )}
      {isAsking && (
        <CertifyDialog
          slug={slug}
          rules={rules}
          place={place}
          onClose={() => setAsking(false)}
          onCertified={onChange}
        />
      )}
    </>
  );
}

const LEAST_SURE = "50";

interface CertifyDialogProps {
  readonly slug: string;
  readonly rules: readonly RuleDraft[];
  readonly place: number;
  readonly onClose: () => void;
  readonly onCertified: (certificate: string) => void;
}

function CertifyDialog({ slug, rules, place, onClose, onCertified }: CertifyDialogProps) {
  const [alpha, setAlpha] = useState("5");
  const [delta, setDelta] = useState("10");
  const [isTried, setTried] = useState(false);
  // Certifying finds how sure the judge must be, so what is typed of that, or not, is of no account.
  const asked = rules
    .slice(0, place + 1)
    .map((rule, at) => (at === place && rule.sure !== null ? { ...rule, sure: LEAST_SURE } : rule));
  const certify = useWrite(
    () =>
      post(
        "/api/projects/{slug}/prejudging/certificates",
        { slug },
        {
          rules: requestOf(asked, "0").rules ?? [],
          number: place + 1,
          alpha: Number(alpha) / 100,
          delta: Number(delta) / 100,
        },
      ),
    {
      note: ({ words }) => words,
      stale: [keyOf("/api/projects/{slug}/prejudging/calibration", { slug })],
      onDone: ({ id, threshold }) => {
        if (threshold !== null) onCertified(id);
        onClose();
      },
    },
  );
  const wrong = (typed: string) => (isTried && !isLevel(typed) ? "Enter a number from 0.1 to 50." : null);
  return (
    <FormDialog
      title={`Certify rule ${place + 1}?`}
      action="Certify"
      write={certify}
      onSubmit={() => {
        setTried(true);
        if (isLevel(alpha) && isLevel(delta)) certify.mutate();
      }}
      onClose={onClose}
    >
      <p>
        Assay uses the sample to find the minimum confidence for this rule. This settles no answers yet. If
        you are unsure, keep the suggested values: a maximum error rate of 5% and a risk of 10%. Each new
        attempt on the same sample is harder to pass.
      </p>
      <p>{CERTIFICATE_LIMITS}</p>
      <TextField
        autoFocus
        label="Maximum error rate (%)"
        hint="Of the answers that the rule settles, the maximum share on which people would disagree with it."
        inputMode="decimal"
        value={alpha}
        error={wrong(alpha)}
        onChange={setAlpha}
      />
      <TextField
        label="Risk of exceeding the maximum error rate (%)"
        hint="With a risk of 10%, you cite 90% confidence. This holds over all attempts on this sample together, because each attempt is tested more strictly: the first at half of the risk, each further one at half as much as the one before."
        inputMode="decimal"
        value={delta}
        error={wrong(delta)}
        onChange={setDelta}
      />
    </FormDialog>
  );
}
