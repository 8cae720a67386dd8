/** Single sign-on of one's own account: connecting it to the provider, and disconnecting it. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post, read } from "../../api/client";
import type { SsoConnection } from "../../api/schema";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { Section } from "../../components/page";
import { useWrite } from "../../components/use-write";
import { SsoFailure } from "../../domain/single-sign-on";
import { t } from "../../lib/i18n/t";
import { leaveFor } from "../../lib/leaving";
import { useSearchState } from "../../lib/search-state";
import { exactTime } from "../../lib/time";
import { PasswordDialog } from "./password-dialog";

const STALE = [keyOf("/api/account/sso"), keyOf("/api/account/sign-ins")];

export function useConnection(): SsoConnection | undefined {
  return useQuery({ ...read("/api/account/sso"), retry: false }).data;
}

/** What came of connecting: the server leads back to this page. */
export function SsoOutcome() {
  const connection = useConnection();
  const search = useSearchState();
  if (search.read("sso") === "connected" && connection?.connected_at)
    return (
      <Notice tone="success">
        <p>{t("You can now sign in with {provider}.", connection)}</p>
      </Notice>
    );
  return <SsoFailure code={search.read("failed")} />;
}

export function SsoSection() {
  const connection = useConnection();
  const [step, setStep] = useState<"connect" | "disconnect" | null>(null);
  if (!connection || connection.provider === "") return null;
  const close = () => setStep(null);
  return (
    <Section title={t("Single sign-on")}>
      <State connection={connection} go={setStep} />
      {step === "connect" && <ConnectDialog connection={connection} onClose={close} />}
      {step === "disconnect" && <DisconnectDialog connection={connection} onClose={close} />}
    </Section>
  );
}

interface StateProps {
  readonly connection: SsoConnection;
  readonly go: (step: "connect" | "disconnect") => void;
}

function State({ connection, go }: StateProps) {
  const { provider, connected_at: connectedAt, ended_at: endedAt, has_password: hasPassword } = connection;
  if (connectedAt === null)
    return (
      <>
        {endedAt !== null && (
          <p>
            {t("{provider} was disconnected on {date} because your password changed.", {
              provider,
              date: exactTime(new Date(endedAt)),
            })}
          </p>
        )}
        <p>{t("Connect your account to sign in with {provider} instead of your password.", { provider })}</p>
        {hasPassword && (
          <p>
            <Button onClick={() => go("connect")}>{t("Connect {provider}", { provider })}</Button>
          </p>
        )}
      </>
    );
  const date = exactTime(new Date(connectedAt));
  return (
    <>
      <p>{t("You can sign in with {provider}. Connected since {date}.", { provider, date })}</p>
      {hasPassword && (
        <p>
          <Button onClick={() => go("disconnect")}>{t("Disconnect {provider}", { provider })}</Button>
        </p>
      )}
    </>
  );
}

interface DialogProps {
  readonly connection: SsoConnection;
  readonly onClose: () => void;
}

function ConnectDialog({ connection: { provider }, onClose }: DialogProps) {
  const connecting = useWrite((password: string) => post("/api/account/sso", {}, { password }), {
    onDone: ({ address }) => leaveFor(address),
  });
  return (
    <PasswordDialog
      title={t("Connect {provider}", { provider })}
      action={t("Continue")}
      about={t("Next, you will sign in with {provider}. Then you will return to this page.", { provider })}
      write={connecting}
      onSubmit={connecting.mutate}
      onClose={onClose}
    />
  );
}

function DisconnectDialog({ connection: { provider }, onClose }: DialogProps) {
  const disconnecting = useWrite(
    (password: string) => post("/api/account/sso/disconnect", {}, { password }),
    { stale: STALE, note: t("{provider} is disconnected.", { provider }), onDone: onClose },
  );
  return (
    <PasswordDialog
      title={t("Disconnect {provider}?", { provider })}
      action={t("Disconnect")}
      about={t("You will sign in with your password only.")}
      write={disconnecting}
      onSubmit={disconnecting.mutate}
      onClose={onClose}
    />
  );
}
