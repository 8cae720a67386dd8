/** A write and what follows it: a note, reads made anew, the next step. */
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { messageOf } from "../api/error";
import { useToast } from "./toast";

interface Consequences<Reply, Given> {
  /** The read whose new state the reply is. */
  readonly keeps?: QueryKey | undefined;
  /** What it changed: all that is kept at and under these addresses is read anew. */
  readonly stale?: readonly QueryKey[] | undefined;
  readonly note?: string | ((reply: Reply, given: Given) => string) | undefined;
  /** What follows a refusal: what is stale is read anew then, too, and where the page has no place for it a note says it. */
  readonly refusal?: "note" | "renew";
  /** The next step, once what is stale was read anew. */
  readonly onDone?: (reply: Reply, given: Given) => unknown;
}

export function useWrite<Reply, Given = void>(
  write: (given: Given) => Promise<Reply>,
  { keeps, stale = [], note, refusal, onDone }: Consequences<Reply, Given> = {},
) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const renew = () => Promise.all(stale.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  return useMutation({
    mutationFn: write,
    onSuccess: async (reply, given) => {
      if (keeps) queryClient.setQueryData(keeps, reply);
      if (note !== undefined) toast({ text: typeof note === "string" ? note : note(reply, given) });
      await renew();
      await onDone?.(reply, given);
    },
    onError: async (error) => {
      if (refusal === "note") toast({ text: messageOf(error), tone: "error" });
      if (refusal) await renew();
    },
  });
}
