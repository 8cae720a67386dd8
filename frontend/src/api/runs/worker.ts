/** Whether anybody does the background work. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export const workerQuery = queryOptions({
  queryKey: ["worker"],
  queryFn: () => unwrap(api.GET("/api/worker")),
});
