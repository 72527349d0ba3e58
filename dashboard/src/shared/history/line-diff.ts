import { diffArrays } from "diff";

/** A line of a text before or after a change: in both texts, only before, or only after. */
export interface DiffLine {
  readonly sign: " " | "−" | "+";
  readonly text: string;
}

/** A number of lines that are in both texts, and that a short diff leaves out. */
export interface Gap {
  readonly hidden: number;
}

/** The number of unchanged lines that a short diff shows before and after a change. */
const CONTEXT = 2;

/** With more changed lines than this, the diff removes all old lines and adds all new ones. */
const MAX_CHANGED = 1_000;

export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, current] = [before.split("\n"), after.split("\n")];
  const changes = diffArrays(old, current, { maxEditLength: MAX_CHANGED });
  if (!changes) return [...signed("−", old), ...signed("+", current)];
  return changes.flatMap(({ value, added, removed }) =>
    signed(added ? "+" : removed ? "−" : " ", value),
  );
}

const signed = (sign: DiffLine["sign"], lines: readonly string[]): DiffLine[] =>
  lines.map((text) => ({ sign, text }));

/** Leaves out the unchanged lines that are not next to a change. */
export function withGaps(lines: readonly DiffLine[]): (DiffLine | Gap)[] {
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ sign }) => sign !== " ");
  const result: (DiffLine | Gap)[] = [];
  for (const [index, line] of lines.entries()) {
    const last = result.at(-1);
    if (isNear(index)) result.push(line);
    else if (last && "hidden" in last) result[result.length - 1] = { hidden: last.hidden + 1 };
    else result.push({ hidden: 1 });
  }
  return result;
}
