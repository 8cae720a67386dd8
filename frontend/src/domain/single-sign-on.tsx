/** Single sign-on: whether there is any, the button that leads to the provider, and why that failed. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { post, read } from "../api/client";
import { sessionQuery } from "../api/session";
import { Button } from "../components/button";
import { Fields, Refusal } from "../components/form";
import { Notice } from "../components/notice";
import { useWrite } from "../components/use-write";
import { t } from "../lib/i18n/t";
import { leaveFor } from "../lib/leaving";

/** The provider's name; empty where people cannot sign in by one, or while that is not known. */
export function useProviderName(): string {
  const offer = useQuery({ ...read("/api/sso"), retry: false, staleTime: Infinity });
  return offer.data?.provider ?? "";
}

interface SsoButtonProps {
  /** The page of this site to show afterwards, or the open link, by which somebody new gets an account. */
  readonly to: { readonly next: string } | { readonly invitation: string };
}

export function SsoButton({ to }: SsoButtonProps) {
  const provider = useProviderName();
  const queryClient = useQueryClient();
  const leaving = useWrite(
    async () => {
      // Its reply brings the token that this must show.
      await queryClient.ensureQueryData(sessionQuery);
      return post("/api/sso/begin", {}, to);
    },
    { onDone: ({ address }) => leaveFor(address) },
  );
  if (provider === "") return null;
  return (
    <Fields>
      <Button size="large" busy={leaving.isPending} onClick={() => leaving.mutate()}>
        {"invitation" in to
          ? t("Continue with {provider}", { provider })
          : t("Sign in with {provider}", { provider })}
      </Button>
      <Refusal error={leaving.error} />
    </Fields>
  );
}

/** By the code that the server writes into the address of the page. */
const WHY = {
  sso_off: "Single sign-on is not set up on this server. Sign in with your password.",
  sso_unavailable:
    "The sign-in provider is not responding correctly. Try again in a few minutes. If that does not help, tell the administrator of this server.",
  sso_failed:
    "Assay could not verify the sign-in provider’s response. Try again. If that does not help, tell the administrator of this server.",
  sso_stale:
    "This sign-in attempt has expired, has already been used, or was started in another browser. Try again.",
  sso_canceled: "The sign-in provider did not sign you in. Try again.",
  sso_unknown:
    "No account here is connected to this sign-in. Sign in with your password, then connect single sign-on under “Your account.” If you have no account, ask the lead of your project for an invitation.",
  sso_ended:
    "This connection stopped working when your password changed. Sign in with your password, then connect it again under “Your account.”",
  sso_disconnected:
    "This sign-in was disconnected from an account here. Sign in to that account with your password and connect it again under “Your account,” or ask the administrator of this server for help.",
  sso_inactive: "This account is inactive. Ask the administrator of this server to reactivate it.",
  sso_in_use: "This sign-in is connected to another account. Disconnect it there first.",
  sso_connected: "Your account is already connected. Disconnect it first.",
  project_full: "This project cannot take more people. Tell the person who invited you.",
  too_many_tries:
    "Too many failed attempts. Wait 15 minutes, or ask the administrator of this server for a link to set a new password.",
} as const;

/** Nothing for a code that is none of the server's: anybody can write an address. */
export function SsoFailure({ code }: { readonly code: string | undefined }) {
  if (code === undefined || !Object.hasOwn(WHY, code)) return null;
  return (
    <Notice tone="danger">
      <p>{t(WHY[code as keyof typeof WHY])}</p>
    </Notice>
  );
}
