import type { Schemas } from "../../shared/api/types.ts";

type Content = Schemas["CreateContextValue"];

/** One value in each line, and after a tab its description, as tables are copied; each value once. */
export function parseLines(text: string): Content[] {
  const values = new Map<string, string | null>();
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [value = "", ...words] = line.split("\t").map((cell) => cell.trim());
    const description = words.join(" ").trim();
    if (value === "") continue;
    values.set(value, description === "" ? (values.get(value) ?? null) : description);
  }
  return [...values].map(([value, description]) => ({ value, description }));
}

/** Those that are there, described anew where the lines do, and after them the others. */
export function merge(known: readonly Content[], lines: readonly Content[]): Content[] {
  const described = new Map(lines.map(({ value, description }) => [value, description]));
  const texts = new Set(known.map(({ value }) => value));
  return [
    ...known.map(({ value, description }) => ({
      value,
      description: described.get(value) ?? description,
    })),
    ...lines.filter(({ value }) => !texts.has(value)),
  ];
}
