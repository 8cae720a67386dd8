/** What is typed into the form of a connection, and what of it is sent. */
import type { Connection, ConnectionRequest } from "../../api/contract";

export interface Draft {
  readonly name: string;
  readonly baseUrl: string;
  readonly endpoint: "chat" | "completion";
  readonly model: string;
  readonly key: string;
  readonly isKeyForgotten: boolean;
  readonly inputPrice: string;
  readonly outputPrice: string;
  readonly spendCap: string;
  readonly requestsPerMinute: string;
  readonly parallelCalls: string;
  readonly timeoutSeconds: string;
  readonly parameters: string;
}

export const EMPTY: Draft = {
  name: "",
  baseUrl: "",
  endpoint: "chat",
  model: "",
  key: "",
  isKeyForgotten: false,
  inputPrice: "0",
  outputPrice: "0",
  spendCap: "",
  requestsPerMinute: "",
  parallelCalls: "4",
  timeoutSeconds: "60",
  parameters: "{}",
};

function textOf(value: string | number | null | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}

export function draftOf(connection: Connection): Draft {
  return {
    name: connection.name,
    baseUrl: connection.base_url,
    endpoint: connection.endpoint,
    model: connection.model,
    key: "",
    isKeyForgotten: false,
    inputPrice: connection.input_price,
    outputPrice: connection.output_price,
    spendCap: textOf(connection.spend_cap),
    requestsPerMinute: textOf(connection.requests_per_minute),
    parallelCalls: textOf(connection.parallel_calls),
    timeoutSeconds: textOf(connection.timeout_seconds),
    parameters: JSON.stringify(connection.parameters, null, 2),
  };
}

function numberOrNull(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}

/** Throws `SyntaxError` where the parameters are no JSON. */
export function requestOf(draft: Draft): ConnectionRequest {
  return {
    name: draft.name.trim(),
    base_url: draft.baseUrl.trim(),
    endpoint: draft.endpoint,
    model: draft.model.trim(),
    // An empty field keeps the key there is: it is never shown, so it cannot be sent back.
    ...((draft.key !== "" || draft.isKeyForgotten) && { key: draft.key }),
    input_price: draft.inputPrice.trim() || "0",
    output_price: draft.outputPrice.trim() || "0",
    spend_cap: draft.spendCap.trim() || null,
    requests_per_minute: numberOrNull(draft.requestsPerMinute),
    parallel_calls: Number(draft.parallelCalls),
    timeout_seconds: Number(draft.timeoutSeconds),
    parameters: JSON.parse(draft.parameters.trim() || "{}") as Record<string, unknown>,
  };
}
