import type { Content, FieldChange, ItemChange } from "./field-change.ts";
import { unchangedCount } from "./shortened.ts";

export interface ItemKind {
  /** The field with the key of an item. */
  readonly keyField: string;
  readonly isOrdered: boolean;
  readonly compare: (before: Content, after: Content) => readonly FieldChange[];
}

interface Placed {
  readonly key: string;
  readonly place: number;
  /** Undefined for an unchanged item that the audit record does not have. */
  readonly item: Content | undefined;
}

/**
 * Compares two lists whose items have a key. Returns the changed items: first those of the new list
 * in its order, then the removed ones. Returns undefined if an item has no key.
 */
export function itemChanges(
  before: readonly unknown[],
  after: readonly unknown[],
  { keyField, isOrdered, compare }: ItemKind,
): ItemChange[] | undefined {
  const [old, current] = [placesOf(before, keyField), placesOf(after, keyField)];
  if (!old || !current) return undefined;
  const unmoved = longestOrder([...old.keys()].flatMap((key) => current.get(key) ?? []));
  return [...new Set([...current.keys(), ...old.keys()])]
    .map((key): ItemChange => {
      const [was, is] = [old.get(key), current.get(key)];
      return {
        key,
        before: was?.item,
        after: is?.item,
        placeBefore: was?.place,
        placeAfter: is?.place,
        isMoved: isOrdered && was !== undefined && is !== undefined && !unmoved.has(key),
        changes: was?.item && is?.item ? compare(was.item, is.item) : [],
      };
    })
    .filter(({ placeBefore, placeAfter, isMoved, changes }) => {
      const isInBoth = placeBefore !== undefined && placeAfter !== undefined;
      return !isInBoth || isMoved || changes.length > 0;
    });
}

/** Returns the items by key. Returns undefined if an item has no key. */
function placesOf(
  list: readonly unknown[],
  keyField: string,
): ReadonlyMap<string, Placed> | undefined {
  const placed = new Map<string, Placed>();
  const add = (key: string, item: Content | undefined) =>
    placed.set(key, { key, place: placed.size + 1, item });
  let unchanged = 0;
  for (const item of list) {
    const count = unchangedCount(item) ?? 0;
    // Both lists have the same unchanged items in the same order, so their numbers can be keys.
    for (let n = 0; n < count; n++) add(`unchanged ${unchanged++}`, undefined);
    if (count > 0) continue;
    const key = keyOf(item, keyField);
    if (key === undefined) return undefined;
    add(key, item as Content);
  }
  return placed;
}

function keyOf(item: unknown, keyField: string): string | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const key = (item as Content)[keyField];
  return typeof key === "string" ? key : undefined;
}

/** Returns the keys of the longest selection of items whose places ascend. */
function longestOrder(items: readonly Placed[]): ReadonlySet<string> {
  const longer = (a: readonly Placed[], b: readonly Placed[]) => (b.length > a.length ? b : a);
  const orders: (readonly Placed[])[] = [];
  for (const item of items) {
    const before = orders.filter((order) => (order.at(-1)?.place ?? 0) < item.place);
    orders.push([...before.reduce(longer, []), item]);
  }
  return new Set(orders.reduce(longer, []).map(({ key }) => key));
}
