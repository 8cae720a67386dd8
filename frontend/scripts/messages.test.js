import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compare, complete, extract, misquotedIn } from "./messages.js";

const PAGE = `
  import { plural, t as say } from "./i18n/t";
  import { t as other } from "./elsewhere";
  const NAMES = { light: "Light", dark: "Dark" } as const;
  declare const name: keyof typeof NAMES;
  declare const free: string;
  say("Sign in");
  say(NAMES[name]);
  plural(2, "{count} answer", "{count} answers");
  other("Not ours");
  say(free);
`;

let folder;
let found;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "messages-"));
  mkdirSync(path.join(folder, "i18n"));
  const sources = {
    "i18n/t.ts": "export declare const t: (text: string) => string, plural: (...args: unknown[]) => string;",
    "elsewhere.ts": "export declare const t: (text: string) => string;",
    "page.ts": PAGE,
  };
  for (const [name, text] of Object.entries(sources)) writeFileSync(path.join(folder, name), text);
  found = extract(ts.createProgram([path.join(folder, "page.ts")], { strict: true }));
});

afterAll(() => rmSync(folder, { recursive: true }));

const GERMAN = {
  messages: {
    "Sign in": "Anmelden",
    Light: "Hell",
    Dark: "Dunkel",
    "{count} answers": { one: "eine Antwort", other: "{count} Antworten" },
  },
  errors: {},
};

function complaintsWith(changes) {
  return compare(found.messages, "de", { ...GERMAN, messages: { ...GERMAN.messages, ...changes } });
}

describe("the texts of the pages", () => {
  it("are found by their types, wherever the constant stands", () => {
    expect(found.messages.map(({ text }) => text)).toEqual(["Sign in", "Light", "Dark", "{count} answers"]);
  });

  it("must be known when the pages are built", () => {
    expect(found.complaints).toEqual([expect.stringMatching(/page\.ts:11 says a text that is not known/)]);
  });
});

describe("a catalog", () => {
  it("is well when it has every text and no other", () => {
    expect(complaintsWith({})).toEqual([]);
  });

  it.each([
    ["lacks a text", { Dark: "" }, /lacks "Dark"/],
    ["has what nobody says", { Gone: "Weg" }, /has "Gone", which nobody says/],
    ["lacks a plural form", { "{count} answers": { other: "Antworten" } }, /needs the forms one, other/],
    ["gives one form where the text counts", { "{count} answers": "Antworten" }, /needs the forms/],
    ["counts where the text does not", { Dark: { one: "a", other: "b" } }, /needs no plural forms/],
    ["has other names in braces", { "Sign in": "{name} anmelden" }, /other names in braces than "Sign in"/],
    ["has other names in a form", { "{count} answers": { one: "{n}", other: "{n}" } }, /other names/],
  ])("is complained of when it %s", (_, changes, words) => {
    expect(complaintsWith(changes)).toEqual([expect.stringMatching(words)]);
  });

  it("is completed with empty places and loses what nobody says", () => {
    const { messages } = complete(found.messages, "de", {
      messages: { Gone: "Weg", Light: "Hell" },
      errors: {},
    });
    expect(messages).toEqual({
      Dark: "",
      Light: "Hell",
      "Sign in": "",
      "{count} answers": { one: "", other: "" },
    });
  });
});

describe("a quotation", () => {
  const complaintsAbout = (text) =>
    misquotedIn(ts.createSourceFile("page.tsx", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));

  it("has its comma or period before the closing mark", () => {
    expect(complaintsAbout("const a = `Under “Policy”, ${b}`;\nconst c = <p>It is “open”.</p>;")).toEqual([
      expect.stringMatching(/page\.tsx:1 has a comma/),
      expect.stringMatching(/page\.tsx:2 has a comma/),
    ]);
  });

  it("of a text that is not known has none behind it", () => {
    expect(complaintsAbout("const a = `As “${b}”. `;")).toHaveLength(1);
    expect(complaintsAbout("const a = 'As “{gold}”.';")).toHaveLength(1);
    expect(complaintsAbout("const a = <p>As “{gold}”.</p>;")).toHaveLength(1);
    expect(complaintsAbout("const a = `“${b}” is “open.”`;")).toEqual([]);
  });
});
