/** Shows a read in its three states: loading, broken, there. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorState } from "./error-state";
import { Skeleton } from "./skeleton";

interface QueryViewProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly loading?: ReactNode;
  /** 1 where the read is the whole page. */
  readonly level?: 1 | 2;
  readonly children: (data: Data) => ReactNode;
}

export function QueryView<Data>({ query, loading, level, children }: QueryViewProps<Data>) {
  // What is there stays shown while a repeated read fails.
  if (query.data !== undefined) return children(query.data);
  if (query.isError)
    return (
      <ErrorState {...(level ? { level } : {})} error={query.error} onRetry={() => void query.refetch()} />
    );
  return loading ?? <Skeleton lines={6} />;
}
