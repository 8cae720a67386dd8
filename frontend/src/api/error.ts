/** What can go wrong between page and server, typed. */
import { errorWords, t } from "../lib/i18n/t";
import { isRecord } from "../lib/storage";

export type ErrorKind =
  "not_found" | "forbidden" | "conflict" | "invalid" | "unavailable" | "bug" | "network" | "signed_out";

export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly kind: ErrorKind,
    readonly code: string,
    message: string,
    readonly status = 0,
    readonly details: Readonly<Record<string, unknown>> = {},
    /** Names a bug in the server's log. */
    readonly reference: string | null = null,
  ) {
    super(message);
  }
}

const KIND_OF_STATUS: Readonly<Record<number, ErrorKind>> = {
  400: "invalid",
  401: "signed_out",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  413: "invalid",
  415: "invalid",
  422: "invalid",
  429: "conflict",
  503: "unavailable",
  507: "unavailable",
};

const KINDS: readonly string[] = [
  "not_found",
  "forbidden",
  "conflict",
  "invalid",
  "unavailable",
  "bug",
  "signed_out",
];

function isKind(value: unknown): value is ErrorKind {
  return typeof value === "string" && KINDS.includes(value);
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" && value !== "" ? value : fallback;
}

export function errorFromReply(status: number, body: unknown): ApiError {
  const statusKind = KIND_OF_STATUS[status] ?? "bug";
  const error = isRecord(body) ? body["error"] : null;
  if (!isRecord(error)) {
    return new ApiError(
      statusKind,
      `http_${status}`,
      t("The server returned an error (status {status}). Try again in a few minutes.", { status }),
      status,
    );
  }
  if (error["code"] === "not_authenticated") {
    return new ApiError(
      "signed_out",
      "not_authenticated",
      t("Your session has ended. Sign in again to continue."),
      status,
    );
  }
  return new ApiError(
    isKind(error["kind"]) ? error["kind"] : statusKind,
    textOr(error["code"], `http_${status}`),
    textOr(
      error["message"],
      t("The server returned an error (status {status}). Try again in a few minutes.", { status }),
    ),
    status,
    isRecord(error["details"]) ? error["details"] : {},
    typeof error["reference"] === "string" ? error["reference"] : null,
  );
}

export function networkError(): ApiError {
  return new ApiError(
    "network",
    "unreachable",
    t("Cannot reach Assay. Check your connection. Your work has not been lost."),
  );
}

/** The words of the first complaint about one field of a form, if there is one. */
export function fieldMessage(error: unknown, field: string): string | null {
  if (!(error instanceof ApiError)) return null;
  const { details } = error;
  const fields = isRecord(details["fields"]) ? details["fields"] : details;
  const complaint = fields[field];
  const first: unknown = Array.isArray(complaint) ? complaint[0] : complaint;
  return typeof first === "string" ? first : null;
}

/** Whether trying the same again later may help. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof ApiError && (error.kind === "network" || error.status >= 502 || error.status === 429)
  );
}

/** In the reader's language where that has words for the error's code, else as the server said it. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError))
    return error instanceof Error ? error.message : t("Something went wrong. Try again.");
  const { code, details, reference } = error;
  return errorWords(code, { ...textsOf(details), reference: reference ?? "" }) ?? error.message;
}

function textsOf(details: Readonly<Record<string, unknown>>): Record<string, string | number> {
  const isText = (value: unknown) => typeof value === "string" || typeof value === "number";
  return Object.fromEntries(
    Object.entries(details).filter((entry): entry is [string, string | number] => isText(entry[1])),
  );
}
