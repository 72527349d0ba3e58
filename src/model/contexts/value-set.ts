import { constraintErrors } from "@feature-flags/evaluation/constraint-check";
import type { AuditAction } from "../../core/audit/actions.ts";
import { MAX_CONTENT_BYTES } from "../../core/audit/capped-contents.ts";
import { chunked, jsonBytes } from "../../core/lib/chunks.ts";
import type { AuditEntry } from "../../db/audit.ts";
import type { ContextRow } from "./queries.ts";
import type { ValueContent, ValueRow } from "./value-queries.ts";

/**
 * The maximum number of values of a context definition, the same as in a constraint
 * (docs/use/api.md, Limits).
 */
export const MAX_VALUES = 1000;

/**
 * The limits of one audit record: the maximum number of changed values, and their maximum size as
 * JSON in bytes. The size leaves room for the names of the fields.
 */
const RECORD_LIMITS = { count: 50, size: MAX_CONTENT_BYTES - 100 };

/**
 * A changed value of a context definition: a value that is added (no `before`), removed (no
 * `after`), or gets another description.
 */
interface Difference {
  readonly id?: number;
  readonly before?: ValueContent;
  readonly after?: ValueContent;
}

/**
 * Returns an error for each value that does not fit the context type: the index of the value, and a
 * message that says what the value must be.
 */
export function unfitValues(
  { contextKey, contextType }: Pick<ContextRow, "contextKey" | "contextType">,
  values: readonly string[],
): { readonly index: number; readonly message: string }[] {
  if (values.length === 0) return [];
  const constraint = { field: contextKey, operator: "equals", values, contextType };
  return constraintErrors(constraint).map(({ field, message }) => ({
    index: Number(field.replace("values.", "")),
    message,
  }));
}

export const contentOfValue = ({ value, description }: ValueContent): ValueContent => ({
  value,
  description,
});

/** Returns the changed values that turn the stored values of a context definition into the wanted values. */
export function differences(
  stored: readonly ValueRow[],
  wanted: readonly ValueContent[],
): readonly Difference[] {
  const wantedByText = new Map(wanted.map((value) => [value.value, value]));
  const storedTexts = new Set(stored.map(({ value }) => value));
  const altered = stored.flatMap((row): Difference[] => {
    const [before, after] = [contentOfValue(row), wantedByText.get(row.value)];
    if (!after) return [{ id: row.id, before }];
    return after.description === before.description ? [] : [{ id: row.id, before, after }];
  });
  const added = wanted.filter(({ value }) => !storedTexts.has(value));
  return [...altered, ...added.map((after) => ({ after }))];
}

/**
 * Returns the audit entries for the changed values of a context definition. Each entry has as many
 * values as one audit record can have. The list is empty if no value changed.
 */
export function auditOfValues(
  action: AuditAction,
  { id, projectId }: ContextRow,
  changed: readonly Difference[],
): AuditEntry[] {
  return chunked(changed, jsonBytes, RECORD_LIMITS).map((part) => ({
    action,
    entityType: "context",
    entityId: id,
    projectId,
    before: { values: part.flatMap(({ before }) => before ?? []) },
    after: { values: part.flatMap(({ after }) => after ?? []) },
  }));
}
