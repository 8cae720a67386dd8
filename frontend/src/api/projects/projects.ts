/** The projects of the person signed in. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export const projectsQuery = queryOptions({
  queryKey: ["projects"],
  queryFn: () => unwrap(api.GET("/api/projects")),
});
