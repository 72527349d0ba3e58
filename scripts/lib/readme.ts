import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { ROOT } from "./processes.ts";

const FILE = path.join(ROOT, "README.md");

export type Row = readonly string[];

/** Markdown, padded as the formatter does it. */
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

/**
 * Writes paragraphs into the README, between `<!-- name:start -->` and `<!-- name:end -->`; or only
 * checks that they stand there: otherwise it says which command writes them, and the exit code is 1.
 */
export function putSection(
  name: string,
  paragraphs: readonly string[],
  { check, command }: { readonly check: boolean; readonly command: string },
): void {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const readme = readFileSync(FILE, "utf8");
  const [from, to] = [readme.indexOf(start), readme.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`README.md has no ${start} … ${end}`);
  const section = [start, ...paragraphs, end].join("\n\n");
  const wanted = readme.slice(0, from) + section + readme.slice(to + end.length);
  if (!check) writeFileSync(FILE, wanted);
  else if (wanted !== readme) {
    console.error(`README.md does not have the ${name} of the code: ${command}`);
    process.exitCode = 1;
  }
}
