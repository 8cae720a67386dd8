/** The judges there are, each with the description of its options. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export const judgesQuery = queryOptions({
  queryKey: ["judges"],
  queryFn: () => unwrap(api.GET("/api/judges")),
});
