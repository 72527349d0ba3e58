import type { ServedWeights } from "./served-weights.ts";

/**
 * A changed field of an audit record. `before` or `after` is undefined if the field had no value
 * then.
 */
export type FieldChange =
  | { kind: "value"; field: string; before: unknown; after: unknown }
  /** A list, with the removed and the added items. */
  | { kind: "list"; field: string; removed: readonly unknown[]; added: readonly unknown[] }
  /** A list whose items have a key. */
  | { kind: "items"; field: ItemField; items: readonly ItemChange[] }
  | {
      kind: "serve";
      field: string;
      before: ServedWeights | undefined;
      after: ServedWeights | undefined;
    }
  /** A JSON value, or a value of an unexpected type. The dashboard shows the value as JSON. */
  | { kind: "json"; field: string; before: unknown; after: unknown };

/** The fields whose items have a key. */
export type ItemField = "variants" | "rules" | "prerequisites";

/**
 * A changed item of a list. `before` is undefined for an added item, `after` for a removed item.
 * Both are undefined for a moved item whose content the audit record does not have.
 */
export interface ItemChange {
  /** The key of a variant, the id of an ordered rule, or the key of a required flag. */
  readonly key: string;
  readonly before: Content | undefined;
  readonly after: Content | undefined;
  /** The place of the item in each list, starting at 1. Undefined if the list does not have it. */
  readonly placeBefore: number | undefined;
  readonly placeAfter: number | undefined;
  /** Whether the item has passed other items that are in both lists. */
  readonly isMoved: boolean;
  /** The changed fields of an item that is in both lists. */
  readonly changes: readonly FieldChange[];
}

/** The fields of an object in an audit record. */
export type Content = Readonly<Record<string, unknown>>;
