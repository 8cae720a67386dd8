/** Says in words that nobody does the background work, and what starts somebody. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/client";
import { CommandLine } from "../components/command-line";
import { Notice } from "../components/notice";
import { t } from "../lib/i18n/t";

const ASK_AGAIN_AFTER = 5_000;

/** Shown only while something waits for a worker and none answers. */
export function WorkerNotice({ waiting }: { readonly waiting: boolean }) {
  const { data } = useQuery({ ...read("/api/worker"), enabled: waiting, refetchInterval: ASK_AGAIN_AFTER });
  if (!waiting || data === undefined || data.running) return null;
  return (
    <Notice
      tone="warning"
      title={data.lack === "clock" ? t("The scheduler is not running") : t("No worker is running")}
    >
      <p>
        {t("Your tasks are waiting to run. Nothing has been lost. To start the server with a worker, run:")}
      </p>
      <CommandLine command={data.command} />
    </Notice>
  );
}
