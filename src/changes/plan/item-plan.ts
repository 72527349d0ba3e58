import { isSame } from "../../core/audit/changed-fields.ts";
import { type ApiError, conflict, invalid, notFound } from "../../core/errors/api-error.ts";
import type { AuditEntry } from "../../db/audit.ts";
import type { EventType } from "../../db/outbox.ts";
import type { ContextRow } from "../../model/contexts/queries.ts";
import { auditOfValues, differences, unfitValues } from "../../model/contexts/value-set.ts";
import { valuesOfTags } from "../../model/flags/attached-tags.ts";
import type { ChangeOf } from "../../core/lib/input.ts";
import type { SegmentRow } from "../../model/segments/queries.ts";
import type { TagRow } from "../../model/tags/queries.ts";
import {
  type ContextContent,
  contextContent,
  type SegmentContent,
  segmentContent,
  type TagContent,
  tagContent,
} from "./content.ts";
import type { Operation, OperationOf, OperationOn } from "./operation.ts";
import { type NamedRows, Refusal, type Table } from "./state.ts";
import { assertVersion, found, type Work } from "./work.ts";

export const segmentExists = conflict("A segment with this name exists in the project");
export const tagExists = conflict("A tag with this name exists in the project");
const contextMissing = notFound("The context does not exist");
export const contextExists = conflict("A context with this key exists in the project");

interface Item {
  readonly id: number;
  readonly projectId: number;
  readonly version: number;
}

/** How the operations of one kind of resource are planned. */
interface Resource<Row extends Item & Content, Content extends object> {
  readonly type: "segment" | "tag" | "context";
  readonly table: Table;
  readonly rows: NamedRows<Row>;
  /** The rows before the operations. */
  readonly initial: ReadonlyMap<number, Row>;
  /** Returns the fields that users set. */
  readonly contentOf: (content: Content) => Content;
  /** Returns the field that is unique in a project. */
  readonly nameOf: (content: Content) => string;
  readonly missing: ApiError;
  readonly exists: ApiError;
  /** Returns a row with the fields that its first version sets. */
  readonly newRow: (item: Item & Content) => Row;
  /** Returns the fields that each later version sets. */
  readonly touched?: Partial<Row>;
  /** Throws: `Refusal` for an update that is not allowed. */
  readonly assertUpdate?: (row: Row, after: Content) => void;
  /** Returns the audit records that a deletion adds. */
  readonly deletion?: (row: Row) => readonly AuditEntry[];
  /** Updates what refers to the row. `after` is undefined if the row was deleted. */
  readonly follow?: (id: number, after: Content | undefined) => void;
}

interface ItemOperation<Content> {
  readonly kind: string;
  readonly target: { readonly projectId: number } | { readonly id: number };
  readonly input: ChangeOf<Content> | undefined;
  readonly ifMatch?: readonly number[] | undefined;
  readonly revertsId?: number | undefined;
}

/** Plans an operation of a segment. Throws: `Refusal`. */
export function planSegment(work: Work, operation: OperationOn<"segment">, n: number): void {
  const { now } = work;
  planItem<SegmentRow, SegmentContent>(work, operation, n, {
    type: "segment",
    table: "segments",
    rows: work.segments,
    initial: work.initial.segments,
    contentOf: segmentContent,
    nameOf: ({ name }) => name,
    missing: notFound("The segment does not exist"),
    exists: segmentExists,
    newRow: (item) => ({ ...item, createdAt: now, updatedAt: now }),
    touched: { updatedAt: now },
  });
}

/** Plans an operation of a tag. Throws: `Refusal`. */
export function planTag(work: Work, operation: OperationOn<"tag">, n: number): void {
  planItem<TagRow, TagContent>(work, operation, n, {
    type: "tag",
    table: "tags",
    rows: work.tags,
    initial: work.initial.tags,
    contentOf: tagContent,
    nameOf: ({ name }) => name,
    missing: notFound("The tag does not exist"),
    exists: tagExists,
    newRow: (item) => ({ ...item, createdAt: work.now }),
    follow: (id, after) => followTag(work, id, after?.name),
  });
}

/**
 * Renames or detaches a tag in the flags of the work, whose versions do not change. `name` is
 * undefined if the tag was deleted.
 */
function followTag({ flags }: Work, id: number, name: string | undefined): void {
  for (const flag of flags.tagged(id)) {
    const attachedTags = flag.attachedTags.flatMap((tag) => {
      if (tag.tagId !== id) return tag;
      return name === undefined ? [] : { ...tag, name };
    });
    flags.set(flag.id, { ...flag, attachedTags, tags: valuesOfTags(attachedTags) });
  }
}

/** Plans an operation of a context definition. Throws: `Refusal`. */
export function planContext(
  work: Work,
  operation: Exclude<OperationOn<"context">, OperationOf<"context.replace-values">>,
  n: number,
): void {
  planItem<ContextRow, ContextContent>(work, operation, n, {
    type: "context",
    table: "context_definitions",
    rows: work.contexts,
    initial: work.initial.contexts,
    contentOf: contextContent,
    nameOf: ({ contextKey }) => contextKey,
    missing: contextMissing,
    exists: contextExists,
    newRow: (item) => ({ ...item, createdAt: work.now }),
    assertUpdate: (row, after) => {
      if (after.contextKey !== row.contextKey) {
        const message = "cannot be changed; send the current key or omit the field";
        throw new Refusal(invalid([{ field: "contextKey", message }]));
      }
      // New values are checked by the operation that replaces them.
      if (after.contextType === row.contextType || work.replacedContexts.has(row.id)) return;
      assertValuesFit(
        after,
        work.storedValues(row).map(({ value }) => value),
      );
    },
    deletion: (row) =>
      auditOfValues("context.values-deleted", row, differences(work.storedValues(row), [])),
  });
}

/** Plans the replacement of the values of a context. Throws: `Refusal`. */
export function planContextValues(
  work: Work,
  operation: OperationOf<"context.replace-values">,
  n: number,
): void {
  const { target, input, revertsId } = operation;
  const row = found(
    "id" in target ? work.contexts.get(target.id) : work.contexts.named(target.contextKey),
    contextMissing,
  );
  assertVersion(operation, row.version);
  const unfit = unfitValues(
    row,
    input.map(({ value }) => value),
  );
  if (unfit.length > 0)
    throw new Refusal(
      invalid(unfit.map(({ index, message }) => ({ field: `${index}.value`, message }))),
    );
  const changed = differences(work.storedValues(row), input);
  const [first, ...more] = auditOfValues("context.values-replaced", row, changed);
  if (!first) return;
  work.contexts.set(row.id, { ...row, version: row.version + 1 });
  work.contextValues.push({
    definitionId: row.id,
    removed: changed.flatMap(({ id, after }) => (id === undefined || after ? [] : id)),
    written: changed.flatMap(({ after }) => after ?? []),
  });
  work.records.push({ operation: n, audit: [{ ...first, revertsId }, ...more] });
}

function planItem<Row extends Item & Content, Content extends object>(
  work: Work,
  operation: ItemOperation<Content>,
  n: number,
  resource: Resource<Row, Content>,
): void {
  const { rows, contentOf, nameOf, exists } = resource;
  const { target, input } = operation;
  const assertNew = (content: Content) => {
    if (rows.named(nameOf(content))) throw new Refusal(exists);
  };
  const what = { work, n, type: resource.type, operation };
  if ("projectId" in target) {
    const { id: projectId } = work.projectOf(target);
    const after = contentOf(input as Content);
    assertNew(after);
    const row = resource.newRow({
      ...after,
      id: work.newId(resource.table),
      projectId,
      version: 1,
    });
    rows.set(row.id, row);
    return record({ ...what, verb: "created", row, after });
  }
  // An id of a row that this list creates is not known to callers.
  const row: Row = found(
    resource.initial.has(target.id) ? rows.get(target.id) : undefined,
    resource.missing,
  );
  assertVersion(operation, row.version);
  const before = contentOf(row);
  if (input === undefined) {
    rows.delete(row.id);
    resource.follow?.(row.id, undefined);
    return record({ ...what, verb: "deleted", row, before, more: resource.deletion?.(row) ?? [] });
  }
  const after = { ...before, ...given(input) };
  resource.assertUpdate?.(row, after);
  if (isSame(before, after)) return;
  if (nameOf(after) !== nameOf(row)) assertNew(after);
  rows.set(row.id, { ...row, ...after, version: row.version + 1, ...resource.touched });
  resource.follow?.(row.id, after);
  record({ ...what, verb: "updated", row, before, after });
}

/** Throws: 409 if a stored value does not fit a new context type. */
function assertValuesFit(after: ContextContent, values: readonly string[]): void {
  const [unfit] = unfitValues(after, values);
  if (unfit)
    throw new Refusal(
      conflict(
        `The context type cannot change to ${after.contextType}: the value ${JSON.stringify(values[unfit.index])} ${unfit.message}`,
      ),
    );
}

/** Returns the fields of a change that are given. */
const given = <Content extends object>(change: ChangeOf<Content>): Partial<Content> =>
  Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  ) as Partial<Content>;

interface Recorded {
  readonly work: Work;
  /** The index of the operation. */
  readonly n: number;
  readonly type: "segment" | "tag" | "context";
  readonly verb: "created" | "updated" | "deleted";
  readonly row: Item;
  readonly before?: object;
  readonly after?: object;
  readonly operation: Pick<Operation, "revertsId">;
  readonly more?: readonly AuditEntry[];
}

/** Records a change. Only segments have webhook events. */
function record({ work, n, type, verb, row, before, after, operation, more = [] }: Recorded): void {
  const { id: entityId, projectId } = row;
  const { revertsId } = operation;
  const action = `${type}.${verb}` as const;
  work.records.push({
    operation: n,
    audit: [{ action, entityType: type, entityId, projectId, before, after, revertsId }, ...more],
    ...(type === "segment" && {
      event: { type: action as EventType, projectId, entityId, data: { segment: after ?? before } },
    }),
  });
}
