import type { Schemas } from "../../shared/api/types.ts";

type NewValue = Schemas["CreateContextValue"];

/**
 * Parses one value per line, with an optional description after a tab, because spreadsheets copy
 * cells in this format. If a value occurs twice, its last description that is not empty applies.
 */
export function parseLines(text: string): NewValue[] {
  const values = new Map<string, string | null>();
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [value = "", ...cells] = line.split("\t").map((cell) => cell.trim());
    const description = cells.join(" ").trim();
    if (value === "") continue;
    values.set(value, description === "" ? (values.get(value) ?? null) : description);
  }
  return [...values].map(([value, description]) => ({ value, description }));
}

/**
 * Merges pasted values into the known values. A known value keeps its position, but a pasted
 * description replaces its description. New values are appended.
 */
export function merge(known: readonly NewValue[], lines: readonly NewValue[]): NewValue[] {
  const descriptions = new Map(lines.map(({ value, description }) => [value, description]));
  const texts = new Set(known.map(({ value }) => value));
  return [
    ...known.map(({ value, description }) => ({
      value,
      description: descriptions.get(value) ?? description,
    })),
    ...lines.filter(({ value }) => !texts.has(value)),
  ];
}
