/** Two-factor authentication of one's own account: setting it up, recovery codes, turning it off. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post, read } from "../../api/client";
import type { AppSecret, RecoveryCodes, TwoFactor } from "../../api/schema";
import { Button, CopyButton } from "../../components/button";
import { Dialog, FormDialog } from "../../components/dialog";
import { fieldsOf, type Sending, TextField } from "../../components/form";
import { QueryView } from "../../components/query-view";
import { useWrite } from "../../components/use-write";
import { plural, t } from "../../lib/i18n/t";
import { exactTime } from "../../lib/time";
import { PasswordDialog } from "./password-dialog";

const STALE = [keyOf("/api/account/two-factor"), keyOf("/api/account/sign-ins")];

type Step = "password" | "app" | "codes" | "renew" | "off" | null;

export function TwoFactorSection() {
  const state = useQuery(read("/api/account/two-factor"));
  const [step, setStep] = useState<Step>(null);
  const [app, setApp] = useState<AppSecret | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const close = () => setStep(null);
  const show = (told: RecoveryCodes) => {
    setCodes(told.codes);
    setStep("codes");
  };
  const begin = (told: AppSecret) => {
    setApp(told);
    setStep("app");
  };
  return (
    <>
      <QueryView query={state}>{(found) => <State state={found} go={setStep} />}</QueryView>
      {step === "password" && <BeginDialog onDone={begin} onClose={close} />}
      {step === "app" && app && <AppDialog app={app} onDone={show} onClose={close} />}
      {step === "codes" && <CodesDialog codes={codes} onClose={close} />}
      {step === "renew" && <RenewDialog onDone={show} onClose={close} />}
      {step === "off" && <OffDialog onClose={close} />}
    </>
  );
}

function State({ state, go }: { readonly state: TwoFactor; readonly go: (step: Step) => void }) {
  if (!state.is_on || state.turned_on_at === null)
    return (
      <>
        <p>
          {t(
            "With two-factor authentication, you also enter a code from an authenticator app when you sign in.",
          )}
        </p>
        <p>
          <Button onClick={() => go("password")}>{t("Set up two-factor authentication")}</Button>
        </p>
      </>
    );
  const since = exactTime(new Date(state.turned_on_at));
  const left = state.recovery_codes_left;
  return (
    <>
      <p>
        {t("On since {date}.", { date: since })}{" "}
        {plural(left, "{count} recovery code left.", "{count} recovery codes left.")}
      </p>
      <p>
        <Button onClick={() => go("renew")}>{t("Create new recovery codes")}</Button>{" "}
        <Button onClick={() => go("off")}>{t("Turn off two-factor authentication")}</Button>
      </p>
    </>
  );
}

interface StepProps<Reply> {
  readonly onDone: (reply: Reply) => void;
  readonly onClose: () => void;
}

function BeginDialog({ onDone, onClose }: StepProps<AppSecret>) {
  const beginning = useWrite((password: string) => post("/api/account/two-factor", {}, { password }), {
    onDone,
  });
  return (
    <PasswordDialog
      title={t("Set up two-factor authentication")}
      action={t("Continue")}
      about={t("You need an authenticator app on your phone or computer.")}
      write={beginning}
      onSubmit={beginning.mutate}
      onClose={onClose}
    />
  );
}

/** In groups, as people type it. */
function grouped(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, "$1 ");
}

function AppDialog({ app, onDone, onClose }: StepProps<RecoveryCodes> & { readonly app: AppSecret }) {
  const [code, setCode] = useState("");
  const confirming = useWrite(() => post("/api/account/two-factor/turn-on", {}, { code }), {
    stale: STALE,
    onDone,
  });
  return (
    <FormDialog
      title={t("Connect your authenticator app")}
      action={t("Turn on")}
      cancel={t("Cancel")}
      write={confirming}
      isReady={code.trim() !== ""}
      onSubmit={() => confirming.mutate()}
      onClose={onClose}
    >
      <p>{t("Scan the QR code with the app, or enter the setup key there.")}</p>
      <p>
        <img src={app.qr_code} alt={t("QR code that contains the setup key")} />
      </p>
      <TextField label={t("Setup key")} readOnly value={grouped(app.secret)} />
      <CodeField label={t("Code from the app")} value={code} onChange={setCode} />
    </FormDialog>
  );
}

function CodesDialog({
  codes,
  onClose,
}: {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}) {
  return (
    <Dialog
      title={t("Save your recovery codes")}
      onClose={onClose}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t("I saved the codes")}
        </Button>
      }
    >
      <p>{t("If you lose access to the app, sign in with one of these codes. Each code works once.")}</p>
      <p>{t("Assay will not show them again. Store them where others cannot read them.")}</p>
      <ul>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p>
        <CopyButton text={codes.join("\n")} name={t("recovery codes")} />
      </p>
    </Dialog>
  );
}

const EMPTY = { password: "", code: "" };
type Proofs = typeof EMPTY;

function RenewDialog({ onDone, onClose }: StepProps<RecoveryCodes>) {
  const renewing = useWrite((proofs: Proofs) => post("/api/account/two-factor/recovery-codes", {}, proofs), {
    stale: STALE,
    onDone,
  });
  return (
    <ProofsDialog
      title={t("Create new recovery codes?")}
      action={t("Create codes")}
      about={t("Your current recovery codes will stop working. You will be signed out on all other devices.")}
      write={renewing}
      onSubmit={renewing.mutate}
      onClose={onClose}
    />
  );
}

function OffDialog({ onClose }: { readonly onClose: () => void }) {
  const turning = useWrite((proofs: Proofs) => post("/api/account/two-factor/turn-off", {}, proofs), {
    stale: STALE,
    note: t("Two-factor authentication is off. You are signed out on all other devices."),
    onDone: onClose,
  });
  return (
    <ProofsDialog
      title={t("Turn off two-factor authentication?")}
      action={t("Turn off")}
      about={t("Your password will be enough to sign in. You will be signed out on all other devices.")}
      write={turning}
      onSubmit={turning.mutate}
      onClose={onClose}
    />
  );
}

interface ProofsDialogProps {
  readonly title: string;
  readonly action: string;
  readonly about: string;
  readonly write: Sending;
  readonly onSubmit: (proofs: Proofs) => void;
  readonly onClose: () => void;
}

/** What needs the password and a code. */
function ProofsDialog({ title, action, about, write, onSubmit, onClose }: ProofsDialogProps) {
  const [proofs, setProofs] = useState(EMPTY);
  const field = fieldsOf(proofs, (part) => setProofs({ ...proofs, ...part }));
  return (
    <FormDialog
      title={title}
      action={action}
      cancel={t("Cancel")}
      variant="danger"
      write={write}
      isReady={proofs.password !== "" && proofs.code.trim() !== ""}
      onSubmit={() => onSubmit(proofs)}
      onClose={onClose}
    >
      <p>{about}</p>
      <TextField
        label={t("Current password")}
        type="password"
        autoComplete="current-password"
        autoFocus
        {...field("password")}
      />
      <CodeField label={t("Code from the app, or a recovery code")} {...field("code")} />
    </FormDialog>
  );
}

interface CodeFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (code: string) => void;
}

function CodeField({ label, value, onChange }: CodeFieldProps) {
  return (
    <TextField
      label={label}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      value={value}
      onChange={onChange}
    />
  );
}
