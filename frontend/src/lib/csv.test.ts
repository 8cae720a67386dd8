import { describe, expect, it } from "vitest";
import cells from "../test/spreadsheet-cells.json";
import { type CsvColumn, csvRows, toCsv } from "./csv";

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

  it("makes text of what a spreadsheet would run, and of nothing else", () => {
    // The same cells are asked of exports (tests/annotation/release/test_rules.py).
    const written = (cell: string) => toCsv([{ a: cell }]).slice("a\r\n".length, -"\r\n".length);
    const taken = (cell: string) => written(cell).replace(/^"([^]*)"$/, "$1");
    expect(cells.formulas.map(taken)).toEqual(cells.formulas.map((cell) => `'${cell}`));
    expect(cells.texts.map(taken)).toEqual(cells.texts);
  });

  it("writes nothing of nothing", () => {
    expect(toCsv([])).toBe("");
  });
});

describe("csvRows", () => {
  it("takes from columns their values, or the cells they name, and leaves out those without either", () => {
    const columns: readonly CsvColumn<{ readonly name: string; readonly kappa: number }>[] = [
      { key: "name", value: ({ name }) => name },
      { key: "action" },
      { key: "kappa", value: ({ kappa }) => kappa, csv: ({ kappa }) => ({ cohen: kappa, cohen_low: 0 }) },
    ];
    expect(csvRows(columns, [{ name: "BEM", kappa: 0.5 }])).toEqual([
      { name: "BEM", cohen: 0.5, cohen_low: 0 },
    ]);
  });
});
