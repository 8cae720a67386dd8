/** The ready-made protocols. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export const presetsQuery = queryOptions({
  queryKey: ["presets"],
  queryFn: () => unwrap(api.GET("/api/presets")),
});
