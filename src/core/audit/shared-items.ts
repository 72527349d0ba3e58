import { isObject } from "../lib/is-object.ts";
import { canonicalJson, type Content } from "./changed-fields.ts";
import { type Unchanged, unchangedCount } from "./markers.ts";

/**
 * Returns both values of a field with the items that both lists have, in the same order, replaced
 * by `Unchanged`. In an object that differs, the lists are shortened in the same way. So each list
 * can be restored from the full list of the other side. Values that are no lists stay as they are.
 * The values must be escaped (see `escaped`).
 */
export function countSharedItems(
  before: unknown,
  after: unknown,
): readonly [before: unknown, after: unknown] {
  if (!Array.isArray(before) || !Array.isArray(after)) return [before, after];
  const short = { before: [] as unknown[], after: [] as unknown[] };
  let [i, j] = [0, 0];
  const pushDiffering = (endI: number, endJ: number) => {
    const [removed, added] = shortenedItems(before.slice(i, endI), after.slice(j, endJ));
    short.before.push(...removed);
    short.after.push(...added);
    [i, j] = [endI + 1, endJ + 1];
  };
  for (const [sharedI, sharedJ] of sharedItems(before, after)) {
    pushDiffering(sharedI, sharedJ);
    countUnchanged(short.before);
    countUnchanged(short.after);
  }
  pushDiffering(before.length, after.length);
  return [short.before, short.after];
}

/** Adds one unchanged item to the end of a list. */
function countUnchanged(list: unknown[]): void {
  const count = unchangedCount(list.at(-1)) ?? 0;
  const marker: Unchanged = { $unchanged: count + 1 };
  list[count > 0 ? list.length - 1 : list.length] = marker;
}

/** Shortens the lists in objects that are at the same place in both lists. */
function shortenedItems(
  removed: readonly unknown[],
  added: readonly unknown[],
): readonly [unknown[], unknown[]] {
  const short: readonly [unknown[], unknown[]] = [[...removed], [...added]];
  for (const [n, before] of removed.entries()) {
    const after = added[n];
    if (isObject(before) && isObject(after))
      [short[0][n], short[1][n]] = countSharedItemsOfFields(before, after);
  }
  return short;
}

/** Returns both objects with the lists of their fields shortened (see `countSharedItems`). */
export function countSharedItemsOfFields(
  before: Content,
  after: Content,
): readonly [before: Content, after: Content] {
  const [shortBefore, shortAfter] = [{ ...before }, { ...after }];
  for (const field of Object.keys(before))
    if (Object.hasOwn(after, field))
      [shortBefore[field], shortAfter[field]] = countSharedItems(before[field], after[field]);
  return [shortBefore, shortAfter];
}

/**
 * Returns the indexes of items that both lists have in the same order. Each item of `before` gets
 * the next equal item of `after`; a moved item can hide others, which makes the record longer.
 */
function sharedItems(
  before: readonly unknown[],
  after: readonly unknown[],
): (readonly [i: number, j: number])[] {
  const places = new Map<unknown, number[]>();
  for (let j = after.length - 1; j >= 0; j--) {
    const key = comparable(after[j]);
    const known = places.get(key);
    if (known) known.push(j);
    else places.set(key, [j]);
  }
  const shared: (readonly [number, number])[] = [];
  let next = 0;
  for (const [i, item] of before.entries()) {
    const at = places.get(comparable(item)) ?? [];
    while ((at.at(-1) ?? next) < next) at.pop();
    const j = at.pop();
    if (j === undefined) continue;
    shared.push([i, j]);
    next = j + 1;
  }
  return shared;
}

/** Returns a key that only equal items have. A text does not equal the JSON of another item. */
const comparable = (item: unknown): unknown =>
  typeof item === "string" ? `"${item}` : canonicalJson(item);
