/** A system's description as it is typed, and as it is sent. */
import type { PatchedSystemChangeRequest, System } from "../../api/schema";

export interface Description {
  readonly label: string;
  readonly size: string;
  readonly unit: string;
  readonly depth: string;
  readonly book: string;
  readonly track: string;
}

const MIB = 1_048_576;
const GIB = 1024 * MIB;

export function describedAs({ label, description }: System): Description {
  const { size_bytes: size, retrieval_depth: depth, closed_book: closed, track } = description;
  const unit = size != null && size >= GIB ? "GiB" : "MiB";
  return {
    label,
    size: size == null ? "" : String(size / (unit === "GiB" ? GIB : MIB)),
    unit,
    depth: depth == null ? "" : String(depth),
    book: closed == null ? "" : closed ? "closed" : "open",
    track: track ?? "",
  };
}

/** Which field is wrong, in words. */
export function descriptionComplaints(draft: Description): Partial<Record<keyof Description, string>> {
  const size = Number(draft.size);
  const depth = Number(draft.depth);
  return {
    ...(draft.label.trim() === "" && { label: "Give it a name." }),
    ...(!(size >= 0 && size * GIB <= Number.MAX_SAFE_INTEGER) && { size: "A number, such as 432.5." }),
    ...(!(Number.isInteger(depth) && depth >= 0 && depth < 2 ** 31) && {
      depth: "A whole number, such as 100.",
    }),
  };
}

/** Empty fields say that nothing is known; a size is kept in whole bytes. */
export function changeOf(draft: Description): PatchedSystemChangeRequest {
  const bytes = Math.round(Number(draft.size) * (draft.unit === "GiB" ? GIB : MIB));
  return {
    label: draft.label.trim(),
    description: {
      size_bytes: draft.size.trim() === "" ? null : bytes,
      retrieval_depth: draft.depth.trim() === "" ? null : Number(draft.depth),
      closed_book: draft.book === "" ? null : draft.book === "closed",
      track: draft.track.trim() === "" ? null : draft.track.trim(),
    },
  };
}
