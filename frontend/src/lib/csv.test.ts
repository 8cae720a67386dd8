import { describe, expect, it } from "vitest";
import { toCsv } from "./csv";

describe("toCsv", () => {
  it("writes numbers in full and leaves out what is missing", () => {
    expect(toCsv([{ part: "who", kappa: 0.7275981, low: null }])).toBe(
      "part,kappa,low\r\nwho,0.7275981,\r\n",
    );
  });

  it("quotes what would end a cell", () => {
    expect(toCsv([{ a: 'say "yes", twice\n' }])).toBe('a\r\n"say ""yes"", twice\n"\r\n');
  });

  it("makes no formula of a name", () => {
    expect(toCsv([{ a: "=1+1" }, { a: "-2" }])).toBe("a\r\n'=1+1\r\n'-2\r\n");
    expect(toCsv([{ a: "'=1" }, { a: "it's" }])).toBe("a\r\n''=1\r\nit's\r\n");
    expect(toCsv([{ a: -2 }])).toBe("a\r\n-2\r\n");
  });

  it("writes nothing of nothing", () => {
    expect(toCsv([])).toBe("");
  });
});
