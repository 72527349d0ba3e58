import { isSame } from "@feature-flags/file/json";

export { canonicalJson, isSame } from "@feature-flags/file/json";

/** What an audit record says about a resource: values by field, without secrets. */
export type Content = Readonly<Record<string, unknown>>;

/** The contents of a resource before and after a change. */
export interface Sides {
  readonly before: Content;
  readonly after: Content;
}

/** Returns the fields whose values differ, on both sides; undefined if no value differs. */
export function changedFields({ before, after }: Sides): Sides | undefined {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = fields.filter((field) => !isSame(before[field], after[field]));
  return changed.length === 0
    ? undefined
    : { before: picked(before, changed), after: picked(after, changed) };
}

const picked = (content: Content, fields: readonly string[]): Content =>
  Object.fromEntries(
    fields.flatMap((field) => (Object.hasOwn(content, field) ? [[field, content[field]]] : [])),
  );
