/** Where one gets email: an address, confirmed by a link, and how often a message says what waits. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, patch, put, read } from "../../api/client";
import type { EmailSettings } from "../../api/schema";
import { Button } from "../../components/button";
import { Fields, fieldsOf, Form, Refusal, Select, Submit, TextField } from "../../components/form";
import { QueryView } from "../../components/query-view";
import { useToast } from "../../components/toast";
import { useWrite } from "../../components/use-write";
import { rich } from "../../lib/i18n/rich";
import { t } from "../../lib/i18n/t";
import { PasswordDialog } from "./password-dialog";

const STALE = [keyOf("/api/account/email"), keyOf("/api/account/sign-ins")];

export function EmailSection() {
  const email = useQuery(read("/api/account/email"));
  return <QueryView query={email}>{(settings) => <Email settings={settings} />}</QueryView>;
}

function Email({ settings }: { readonly settings: EmailSettings }) {
  const [removing, setRemoving] = useState(false);
  const { address, pending } = settings;
  return (
    <>
      <p>
        {address === ""
          ? t(
              "With an email address, you can set a new password if you forget yours. Nobody else sees your address.",
            )
          : rich("Your email address is {address}.", { address: <Address text={address} /> })}
      </p>
      {pending !== "" && (
        <p role="status">
          {rich("To confirm {address}, open the link in the message that Assay sent there.", {
            address: <Address text={pending} />,
          })}
        </p>
      )}
      <AddressForm key={`${address} ${pending}`} />
      {(address !== "" || pending !== "") && (
        <p>
          <Button onClick={() => setRemoving(true)}>{t("Remove email address")}</Button>
        </p>
      )}
      {address !== "" && <DigestForm digest={settings.digest} />}
      {removing && <RemovingDialog onClose={() => setRemoving(false)} />}
    </>
  );
}

function Address({ text }: { readonly text: string }) {
  return <strong dir="ltr">{text}</strong>;
}

const EMPTY = { address: "", password: "" };

function AddressForm() {
  const [draft, setDraft] = useState(EMPTY);
  const change = useWrite(
    () => put("/api/account/email", {}, { address: draft.address.trim(), password: draft.password }),
    { stale: STALE, note: t("Message sent. Open the link in the message to confirm the address.") },
  );
  const field = fieldsOf(draft, (part) => setDraft({ ...draft, ...part }));
  return (
    <Form onSubmit={() => change.mutate()}>
      <TextField
        label={t("New email address")}
        type="email"
        autoComplete="email"
        maxLength={254}
        required
        {...field("address")}
      />
      <TextField
        label={t("Current password")}
        type="password"
        autoComplete="current-password"
        required
        {...field("password")}
      />
      <Submit write={change} disabled={draft.address.trim() === "" || draft.password === ""}>
        {t("Send confirmation link")}
      </Submit>
    </Form>
  );
}

const OFTEN = { off: "Never", daily: "Daily", weekly: "Weekly" } as const satisfies Record<
  EmailSettings["digest"],
  string
>;
const CHOICES = Object.keys(OFTEN) as EmailSettings["digest"][];

function DigestForm({ digest }: { readonly digest: EmailSettings["digest"] }) {
  const toast = useToast();
  const change = useWrite(
    (chosen: EmailSettings["digest"]) => patch("/api/account/email", {}, { digest: chosen }),
    {
      stale: STALE,
      onDone: () => toast({ text: t("Saved.") }),
    },
  );
  return (
    <Fields>
      <Select
        label={t("Email about work waiting for you")}
        hint={t("Sent only if work is waiting for you. Every message has an unsubscribe link.")}
        value={change.isPending ? change.variables : digest}
        onChange={(value) => change.mutate(value as EmailSettings["digest"])}
      >
        {CHOICES.map((each) => (
          <option key={each} value={each}>
            {t(OFTEN[each])}
          </option>
        ))}
      </Select>
      <Refusal error={change.error} />
    </Fields>
  );
}

function RemovingDialog({ onClose }: { readonly onClose: () => void }) {
  const removing = useWrite((password: string) => put("/api/account/email", {}, { address: "", password }), {
    stale: STALE,
    note: t("Email address removed."),
    onDone: onClose,
  });
  return (
    <PasswordDialog
      title={t("Remove email address?")}
      action={t("Remove")}
      about={t(
        "You will no longer get email, and you will not be able to reset a forgotten password by email.",
      )}
      isDanger
      write={removing}
      onSubmit={removing.mutate}
      onClose={onClose}
    />
  );
}
