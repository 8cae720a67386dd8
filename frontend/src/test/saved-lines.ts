/** What a page saves, as a reader of the file finds it. */
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, vi } from "vitest";

/** The lines of the file behind a button; name: the file's, without its ending. */
export async function savedLines(name: string): Promise<string[]> {
  const make = vi.spyOn(URL, "createObjectURL").mockReturnValue("#saved");
  await userEvent.click(screen.getByRole("button", { name: new RegExp(`Save as CSV: ${name}$`) }));
  // A table of several pages is read first.
  await waitFor(() => expect(make).toHaveBeenCalled());
  const [file] = make.mock.lastCall ?? [];
  make.mockRestore();
  const text = await (file as Blob).text();
  return text.trim().split("\r\n");
}

/** The same as rows, cells by column. */
export async function savedRows(name: string): Promise<Readonly<Record<string, string>>[]> {
  const [columns = [], ...rows] = (await savedLines(name)).map(cellsOf);
  return rows.map((cells) =>
    Object.fromEntries(columns.map((column, place) => [column, cells[place] ?? ""])),
  );
}

/** Commas within quotes part no cells. */
function cellsOf(line: string): string[] {
  return line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((cell) => cell.replaceAll(/^"|"$/g, ""));
}
