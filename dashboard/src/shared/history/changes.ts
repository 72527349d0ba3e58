import type { AuditRecord } from "../api/types.ts";

/**
 * A changed field of an audit record. `before` or `after` is undefined if the field had no value
 * then. `removed` and `added` are items of a list.
 */
export type FieldChange =
  | { kind: "value"; field: string; before: unknown; after: unknown }
  | { kind: "list"; field: string; removed: readonly unknown[]; added: readonly unknown[] }
  /** A field with any other value, such as an object. The dashboard shows the value as JSON. */
  | { kind: "json"; field: string; before: unknown; after: unknown };

type Content = Readonly<Record<string, unknown>>;

/**
 * Returns the fields whose values differ before and after the change: first the fields of `after`,
 * then those only in `before`. Null, an empty text and an empty list count as no value. The order
 * of a list's items does not count.
 */
export function changesOf({ before, after }: Pick<AuditRecord, "before" | "after">): FieldChange[] {
  if (!isContentOrNothing(before) || !isContentOrNothing(after))
    return [{ kind: "json", field: "content", before, after }];
  const [old, current] = [expandIntegration(before ?? {}), expandIntegration(after ?? {})];
  const fields = new Set([...Object.keys(current), ...Object.keys(old)]);
  return [...fields].flatMap((field) => change(field, old[field], current[field]) ?? []);
}

function change(field: string, old: unknown, current: unknown): FieldChange | undefined {
  const [before, after] = [emptyToUndefined(old), emptyToUndefined(current)];
  if (canonicalJson(before) === canonicalJson(after)) return undefined;
  if (isListOrNothing(before) && isListOrNothing(after)) {
    const [removed, added] = [
      without(before ?? [], after ?? []),
      without(after ?? [], before ?? []),
    ];
    return removed.length + added.length === 0
      ? undefined
      : { kind: "list", field, removed, added };
  }
  const isPlain = typeof before !== "object" && typeof after !== "object";
  return { kind: isPlain ? "value" : "json", field, before, after };
}

/**
 * Replaces the JSON texts in the audit record of an integration by their content, and HTTP headers
 * by their names. Omits the signing secret, because the service masks it both before and after the
 * change.
 */
function expandIntegration({ configJson, eventSubscriptionsJson, ...content }: Content): Content {
  const config = parsed(configJson);
  const { secret: _masked, headers, ...open } = isContentOrNothing(config) ? (config ?? {}) : {};
  return {
    ...content,
    ...open,
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
  return items.filter((item) => !known.has(canonicalJson(item)));
};

/**
 * Returns a JSON text that is the same for equal values, whatever the order of the fields of their
 * objects.
 */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    isContentOrNothing(part) && part
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

const isContentOrNothing = (value: unknown): value is Content | null | undefined =>
  value === undefined || (typeof value === "object" && !Array.isArray(value));

const isListOrNothing = (value: unknown): value is readonly unknown[] | undefined =>
  value === undefined || Array.isArray(value);
