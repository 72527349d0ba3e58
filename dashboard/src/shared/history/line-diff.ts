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

/**
 * The largest table for the comparison, in cells of 4 bytes: about 1,000 changed lines on each side.
 * For more lines, the diff removes all old lines and adds all new ones.
 */
const MAX_CELLS = 1_000_000;

/** Compares two texts by line. The fewest possible lines are removed and added. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, current] = [before.split("\n"), after.split("\n")];
  const start = sharedLength(old, current);
  const end = sharedLength(old.slice(start).toReversed(), current.slice(start).toReversed());
  const same = (lines: readonly string[]) => signed(" ", lines);
  return [
    ...same(old.slice(0, start)),
    ...changedLines(old.slice(start, old.length - end), current.slice(start, current.length - end)),
    ...same(old.slice(old.length - end)),
  ];
}

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

function sharedLength(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((line, index) => line !== b[index]);
  return different === -1 ? a.length : different;
}

const signed = (sign: DiffLine["sign"], lines: readonly string[]): DiffLine[] =>
  lines.map((text) => ({ sign, text }));

/** Compares lines by their longest common subsequence. */
function changedLines(old: readonly string[], current: readonly string[]): DiffLine[] {
  if ((old.length + 1) * (current.length + 1) > MAX_CELLS)
    return [...signed("−", old), ...signed("+", current)];
  const common = commonLengths(old, current);
  const result: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < current.length) {
    const [before, after] = [old[i], current[j]];
    if (before !== undefined && before === after) {
      result.push({ sign: " ", text: before });
      i++;
      j++;
    } else if (
      before !== undefined &&
      (after === undefined || common(i + 1, j) >= common(i, j + 1))
    ) {
      result.push({ sign: "−", text: before });
      i++;
    } else if (after !== undefined) {
      result.push({ sign: "+", text: after });
      j++;
    }
  }
  return result;
}

/**
 * Returns a function with the length of the longest common subsequence of the lines from `i` and
 * from `j` on.
 */
function commonLengths(old: readonly string[], current: readonly string[]) {
  const width = current.length + 1;
  const table = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => table[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = current.length - 1; j >= 0; j--)
      table[i * width + j] =
        old[i] === current[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  return at;
}
