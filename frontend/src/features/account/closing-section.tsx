/** The end of an account, after the password was asked for once more. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { post } from "../../api/client";
import { forgetAllButSession, sessionQuery } from "../../api/session";
import { messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { TextField } from "../../components/field";
import { Notice } from "../../components/notice";
import { t } from "../../lib/i18n/t";

export function ClosingSection() {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <p>
        {t(
          "Your name, your user name and your password are removed and you leave every project. What you have judged stays, under your pseudonym. This cannot be taken back.",
        )}
      </p>
      <p>
        <Button variant="danger" onClick={() => setAsking(true)}>
          {t("Close the account")}
        </Button>
      </p>
      {asking && <ClosingDialog onClose={() => setAsking(false)} />}
    </>
  );
}

function ClosingDialog({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [password, setPassword] = useState("");
  const closing = useMutation({
    mutationFn: () => post("/api/account/close", {}, { password }),
    onSuccess: async () => {
      forgetAllButSession(queryClient);
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await navigate({ to: "/sign-in" });
    },
  });
  return (
    <Dialog
      open
      title={t("Close your account?")}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t("Keep it")}</Button>
          <Button
            variant="danger"
            busy={closing.isPending}
            disabled={password === ""}
            onClick={() => closing.mutate()}
          >
            {t("Close for good")}
          </Button>
        </>
      }
    >
      <p>{t("Nobody can bring the account back, neither you nor a lead.")}</p>
      <TextField
        label={t("Present password")}
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {closing.isError && <Notice tone="danger">{messageOf(closing.error)}</Notice>}
    </Dialog>
  );
}
