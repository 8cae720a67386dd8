import { describe, expect, it } from "vitest";
import type { ImportFormat } from "../../api/schema";
import { usualOptions } from "./imports";

function makeFormat(key: string, options: readonly string[]): ImportFormat {
  const made = options.map((name) => ({ name, help: "", default: "", choices: [] }));
  return { key, name: key, summary: "", options: made, meanings: [] };
}

const FORMATS = [makeFormat("generic", ["system_names"]), makeFormat("votes", ["encoding"])];

describe("files chosen on the page", () => {
  it.each([
    ["", { system_names: "shortened" }],
    ["generic", { system_names: "shortened" }],
    ["votes", {}],
  ])("are read as %j with %j", (key, options) => {
    expect(usualOptions(key, FORMATS)).toEqual(options);
  });
});
