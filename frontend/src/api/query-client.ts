/** How reads are kept and repeated. */
import { QueryClient } from "@tanstack/react-query";
import { isPassing } from "./error";

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < 2 && isPassing(error),
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false },
    },
  });
}
