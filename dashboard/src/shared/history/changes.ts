import { canonicalJson } from "@feature-flags/file/json";
import type { AuditRecord } from "../api/types.ts";
import type { Content, FieldChange, ItemField } from "./field-change.ts";
import { itemChanges, type ItemKind } from "./item-changes.ts";
import { servedWeights } from "./served-weights.ts";
import { isCut, isUnchanged } from "./shortened.ts";

/**
 * Returns the fields whose values differ before and after the change. The fields of `after` come
 * first, then the fields that only `before` contains. Null, an empty text and an empty list mean no
 * value. The order of the items in a list does not matter, except for variants and ordered rules.
 */
export function recordChanges({
  before,
  after,
}: Pick<AuditRecord, "before" | "after">): FieldChange[] {
  if (!isContentOrNothing(before) || !isContentOrNothing(after))
    return [{ kind: "json", field: "content", before, after }];
  return fieldChanges(expandIntegration(before ?? {}), expandIntegration(after ?? {}));
}

function fieldChanges(before: Content, after: Content): FieldChange[] {
  const [old, current] = [withOnePercentage(before), withOnePercentage(after)];
  const fields = new Set([...Object.keys(current), ...Object.keys(old)]);
  return [...fields].flatMap((field) => change(field, old[field], current[field]) ?? []);
}

function change(field: string, old: unknown, current: unknown): FieldChange | undefined {
  const [before, after] = [emptyToUndefined(old), emptyToUndefined(current)];
  if (canonicalJson(before) === canonicalJson(after)) return undefined;
  if (isListOrNothing(before) && isListOrNothing(after))
    return listChange(field, before ?? [], after ?? []);
  const served = field === "serve" ? serveChange(before, after) : undefined;
  if (served) return served;
  const isPlain = typeof before !== "object" && typeof after !== "object";
  return { kind: isPlain ? "value" : "json", field, before, after };
}

function serveChange(old: unknown, current: unknown): FieldChange | undefined {
  const [before, after] = [servedWeights(old), servedWeights(current)];
  return before || after ? { kind: "serve", field: "serve", before, after } : undefined;
}

function listChange(
  field: string,
  before: readonly unknown[],
  after: readonly unknown[],
): FieldChange | undefined {
  const items = hasKeys(field) ? itemChanges(before, after, ITEM_KINDS[field]) : undefined;
  if (items && hasKeys(field))
    return items.length === 0 ? undefined : { kind: "items", field, items };
  const [removed, added] = [without(before, after), without(after, before)];
  return removed.length + added.length === 0 ? undefined : { kind: "list", field, removed, added };
}

const ITEM_KINDS: Readonly<Record<ItemField, ItemKind>> = {
  variants: { keyField: "key", isOrdered: true, compare: variantChanges },
  rules: { keyField: "id", isOrdered: true, compare: fieldChanges },
  prerequisites: { keyField: "flagKey", isOrdered: false, compare: fieldChanges },
};

const hasKeys = (field: string): field is ItemField => Object.hasOwn(ITEM_KINDS, field);

/** Compares a variant. Its value may be any JSON value, so null and empty values count, too. */
function variantChanges(
  { value: old, ...before }: Content,
  { value: current, ...after }: Content,
): FieldChange[] {
  const others = fieldChanges(before, after);
  return canonicalJson(old) === canonicalJson(current)
    ? others
    : [{ kind: "json", field: "value", before: old, after: current }, ...others];
}

/**
 * Replaces the percentage of a strategy or rule by the exact percentage, which is null if it is a
 * whole number.
 */
export function withOnePercentage({ exactPercentage, ...content }: Content): Content {
  return exactPercentage === undefined || exactPercentage === null
    ? content
    : { ...content, percentage: exactPercentage };
}

/**
 * Parses the JSON texts in the audit record of an integration. Replaces the HTTP headers by their
 * names. Omits the signing secret, because the audit record contains only a mask of the secret.
 */
function expandIntegration({ configJson, eventSubscriptionsJson, ...content }: Content): Content {
  const config = parsed(configJson);
  const { secret: _masked, headers, ...open } = isContentOrNothing(config) ? (config ?? {}) : {};
  return {
    ...content,
    ...open,
    ...(isCut(configJson) && { configJson }),
    ...(isContentOrNothing(headers) && headers && { headers: Object.keys(headers) }),
    ...(eventSubscriptionsJson !== undefined && { events: parsed(eventSubscriptionsJson) }),
  };
}

function parsed(json: unknown): unknown {
  if (typeof json !== "string") return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

const emptyToUndefined = (value: unknown): unknown =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0)
    ? undefined
    : value;

const without = (items: readonly unknown[], others: readonly unknown[]): unknown[] => {
  const known = new Set(others.map(canonicalJson));
  return items.filter((item) => !isUnchanged(item) && !known.has(canonicalJson(item)));
};

const isContentOrNothing = (value: unknown): value is Content | null | undefined =>
  value === undefined || (typeof value === "object" && !Array.isArray(value));

const isListOrNothing = (value: unknown): value is readonly unknown[] | undefined =>
  value === undefined || Array.isArray(value);
