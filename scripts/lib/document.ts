import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { ROOT } from "./processes.ts";

export type Row = readonly string[];

/** Returns a Markdown table with the same padding that the formatter uses. */
export function table(head: Row, rows: readonly Row[]): string {
  const widths = head.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: Row, pad = " ") =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0, pad)).join(" | ")} |`;
  return [
    line(head),
    line(
      head.map(() => ""),
      "-",
    ),
    ...rows.map((row) => line(row)),
  ].join("\n");
}

/** A generated part of a Markdown document. */
export interface Section {
  /**
   * The path of the document, relative to the root of the repository: `docs/use/permissions.md`.
   */
  readonly file: string;
  /** The name of the section, which is between `<!-- name:start -->` and `<!-- name:end -->`. */
  readonly name: string;
  readonly paragraphs: readonly string[];
  /** The command that writes the section, for the error message. */
  readonly command: string;
}

/**
 * Writes a section into its document. With `check`, compares the document instead: if it differs,
 * prints the command that writes the section and sets the exit code to 1. Throws: an Error when the
 * document lacks the markers of the section.
 */
export function putSection({ file, name, paragraphs, command }: Section, check: boolean): void {
  const at = path.join(ROOT, file);
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const document = readFileSync(at, "utf8");
  const [from, to] = [document.indexOf(start), document.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${file} lacks the markers ${start} and ${end}`);
  const section = [start, ...paragraphs, end].join("\n\n");
  const wanted = document.slice(0, from) + section + document.slice(to + end.length);
  if (!check) writeFileSync(at, wanted);
  else if (wanted !== document) {
    console.error(`${file} is out of date. To update it: ${command}`);
    process.exitCode = 1;
  }
}
