import { recordChanges, withOnePercentage } from "./changes.ts";
import type { Content } from "./field-change.ts";

/** The content of a resource: on which a change request is based, as it is now, and after the request. */
export interface ThreeContents {
  readonly base: Content;
  readonly current: Content;
  readonly after: Content;
}

export const COLUMNS = ["base", "current", "after"] as const;
export type Column = (typeof COLUMNS)[number];

/** A field, or an ordered rule, with its values. Undefined: it has no value, or the rule does not exist. */
export interface ThreeWayRow extends Readonly<Record<Column, unknown>> {
  /** The field, or `rules.<id>`: the name that a rebase has for it. */
  readonly key: string;
  readonly field: string;
}

/** Returns the fields and the ordered rules that have left the base, now or after the request. */
export function threeWayRows(contents: ThreeContents): ThreeWayRow[] {
  const base = withOnePercentage(contents.base);
  const current = withOnePercentage(contents.current);
  const after = withOnePercentage(contents.after);
  const changes = [after, current].flatMap((other) =>
    recordChanges({ before: base, after: other }),
  );
  const keys = changes.flatMap((change) =>
    change.kind === "items" && change.field === "rules"
      ? change.items.map((item) => `rules.${item.key}`)
      : change.field,
  );
  return [...new Set(keys)].map((key) => {
    const [field = "", id] = key.split(".");
    const valueIn = (content: Content) =>
      id === undefined ? content[field] : placedRule(content["rules"], id);
    return { key, field, base: valueIn(base), current: valueIn(current), after: valueIn(after) };
  });
}

/** An ordered rule, and its place, starting at 1. */
export interface PlacedRule {
  readonly rule: Content;
  readonly place: number;
}

function placedRule(rules: unknown, id: string): PlacedRule | undefined {
  const list = Array.isArray(rules) ? (rules as readonly Content[]) : [];
  const index = list.findIndex((rule) => rule["id"] === id);
  const rule = list[index];
  return rule && { rule, place: index + 1 };
}
