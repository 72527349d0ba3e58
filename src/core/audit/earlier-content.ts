import { isObject } from "../lib/is-object.ts";
import type { Content } from "./changed-fields.ts";

/** The contents of an audit record, as the database stores them (see `cappedContents`). */
export interface ChangeContents {
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Returns the content of a resource before the oldest of some changes. `now` is the full content
 * after the newest of them, and `changes` are all changes since then, newest first. Items of lists
 * that a record counts instead of repeating them are taken from the content after the change. Parts
 * that a record has cut are still in the result (see `hasOmittedParts`).
 */
export function earlierContent(now: Content, changes: readonly ChangeContents[]): Content {
  const content: Record<string, unknown> = { ...now };
  for (const { before, after } of changes) {
    const [old, young] = [contentOf(before), contentOf(after)];
    for (const field of Object.keys(old))
      content[field] = fullValue(old[field], young[field], content[field]);
  }
  return content;
}

const contentOf = (recorded: unknown): Content => (isObject(recorded) ? recorded : {});

/** Returns the full value before a change. `full` is the full value after the change. */
function fullValue(before: unknown, after: unknown, full: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(after) && Array.isArray(full))
    return fullItems(before, after, full);
  if (isObject(before) && isObject(after) && isObject(full))
    return Object.fromEntries(
      Object.entries(before).map(([key, part]) => [key, fullValue(part, after[key], full[key])]),
    );
  return before;
}

/**
 * Returns the full list before a change. Both lists have the same shared items in the same order,
 * and between two shared items, the differing items of both lists belong together.
 */
function fullItems(
  before: readonly unknown[],
  after: readonly unknown[],
  full: readonly unknown[],
): unknown[] {
  const runs: (readonly { readonly short: unknown; readonly full: unknown }[])[] = [];
  const shared: unknown[] = [];
  let place = 0;
  for (const run of runsOf(after)) {
    runs.push(run.map((short) => ({ short, full: full[place++] })));
    shared.push(full[place++]);
  }
  const items: unknown[] = [];
  const ownRuns = runsOf(before);
  for (const [n, run] of ownRuns.entries()) {
    for (const [m, item] of run.entries()) {
      const other = runs[n]?.[m];
      items.push(fullValue(item, other?.short, other?.full));
    }
    if (n < ownRuns.length - 1) items.push(shared[n]);
  }
  return items;
}

/** Returns the differing items before the first, between all, and after the last shared item. */
function runsOf(short: readonly unknown[]): readonly (readonly unknown[])[] {
  const runs: unknown[][] = [[]];
  for (const item of short) {
    const count = isObject(item) ? item["$unchanged"] : undefined;
    if (typeof count === "number") for (let n = 0; n < count; n++) runs.push([]);
    else runs.at(-1)?.push(item);
  }
  return runs;
}

/** Whether a value has a part that stands for an omitted text or for omitted list items. */
export function hasOmittedParts(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasOmittedParts);
  if (!isObject(value)) return false;
  const [key, ...more] = Object.keys(value);
  if (more.length === 0 && (key === "$cut" || key === "$unchanged")) return true;
  return Object.values(value).some(hasOmittedParts);
}
