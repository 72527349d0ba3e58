import { isObject } from "../lib/is-object.ts";
import type { Content } from "./changed-fields.ts";
import { isCut, unchangedCount, unescapedKey } from "./markers.ts";

/** The contents of an audit record, as the database stores them (see `cappedContents`). */
export interface ChangeContents {
  readonly before: unknown;
  readonly after: unknown;
}

/** Stands for a part of a content that the audit trail does not have. */
const OMITTED = Symbol("omitted");

/**
 * Returns the content of a resource before the oldest of some changes. `now` is the full content
 * after the newest of them, and `changes` are all changes since then, newest first. Items of lists
 * that a record counts instead of repeating them are taken from the content after the change. The
 * result marks parts that the records do not have (see `hasOmittedParts`).
 *
 * Records that were written before keys of users were escaped (see `escaped`) can have values that
 * look like markers. An object with `$unchanged` is such a value unless the lists of both sides
 * count equally many items. An object that looks like `Cut` is always read as a marker.
 */
export function earlierContent(now: Content, changes: readonly ChangeContents[]): Content {
  const content: Record<string, unknown> = { ...now };
  for (const { before, after } of changes) {
    const [old, young] = [contentOf(before), contentOf(after)];
    for (const field of Object.keys(old))
      content[field] = fullValue(old[field], partOf(young, field), partOf(content, field));
  }
  return content;
}

/** Returns the content of a record that has no other side, such as the record of a deletion. */
export const wholeContent = (recorded: unknown): Content =>
  earlierContent({}, [{ before: recorded, after: {} }]);

/** Whether a content has a part that the audit trail does not have. */
export function hasOmittedParts(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasOmittedParts);
  return isObject(value) ? Object.values(value).some(hasOmittedParts) : value === OMITTED;
}

const contentOf = (recorded: unknown): Content => (isObject(recorded) ? recorded : {});

const partOf = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/**
 * Returns the full value before a change. `full` is the full value after the change, and undefined
 * if it is not known.
 */
const fullValue = (before: unknown, after: unknown, full: unknown): unknown =>
  Array.isArray(before) && Array.isArray(after) ? fullItems(before, after, full) : ownValue(before);

/** Returns a value of a record without other side. */
function ownValue(recorded: unknown): unknown {
  if (Array.isArray(recorded)) return recorded.map(ownValue);
  if (!isObject(recorded)) return recorded;
  if (isCut(recorded)) return OMITTED;
  return Object.fromEntries(
    Object.entries(recorded).map(([key, part]) => [unescapedKey(key), ownValue(part)]),
  );
}

/**
 * Returns the full list before a change. Both lists have the same shared items in the same order,
 * and between two shared items, the differing items of both lists belong together.
 */
function fullItems(before: readonly unknown[], after: readonly unknown[], full: unknown): unknown {
  const sharedCount = sharedItems(after);
  if (sharedItems(before) !== sharedCount) return ownValue(before);
  const own = after.filter((item) => unchangedCount(item) === undefined);
  // Compares the lengths before the loops, so that their time depends on the full list alone.
  const items = Array.isArray(full) && full.length === own.length + sharedCount ? full : [];
  if (sharedCount > 0 && items.length === 0) return OMITTED;
  const { gaps, shared } = alignedItems(after, items);
  const result: unknown[] = [];
  let [taken, inGap] = [0, 0];
  for (const item of before) {
    const count = unchangedCount(item);
    if (count === undefined) result.push(fullItem(item, gaps.get(taken)?.[inGap++]));
    else {
      for (const end = taken + count; taken < end; taken++) result.push(shared[taken]);
      inGap = 0;
    }
  }
  return result;
}

/** Returns how many items the markers of a list count. */
const sharedItems = (list: readonly unknown[]): number =>
  list.reduce<number>((sum, item) => sum + (unchangedCount(item) ?? 0), 0);

/** An item of a list, as a record has it and in full. */
interface RecordedItem {
  readonly short: unknown;
  readonly full: unknown;
}

/**
 * Splits a full list into the shared items, and the differing items by the number of shared items
 * before them.
 */
function alignedItems(short: readonly unknown[], full: readonly unknown[]) {
  const gaps = new Map<number, RecordedItem[]>();
  const shared: unknown[] = [];
  let place = 0;
  for (const item of short) {
    const count = unchangedCount(item);
    if (count === undefined) {
      const gap = gaps.get(shared.length) ?? [];
      gap.push({ short: item, full: full[place++] });
      gaps.set(shared.length, gap);
    } else for (const end = place + count; place < end; place++) shared.push(full[place]);
  }
  return { gaps, shared };
}

/** Returns a differing item in full. `other`: the item at the same place on the other side. */
function fullItem(item: unknown, other: RecordedItem | undefined): unknown {
  if (!isObject(item) || isCut(item) || !isObject(other?.short)) return ownValue(item);
  const { short, full } = other;
  return Object.fromEntries(
    Object.entries(item).map(([key, part]) => {
      const field = unescapedKey(key);
      return [field, fullValue(part, partOf(short, key), partOf(full, field))];
    }),
  );
}
