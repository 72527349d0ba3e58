import { changedFields } from "../../core/audit/changed-fields.ts";
import { conflict, invalid, notFound } from "../../core/errors/api-error.ts";
import type { EventType } from "../../db/outbox.ts";
import type { AuditEntry } from "../../db/audit.ts";

import { auditOfValues, differences, unfitValues } from "../contexts/value-set.ts";

import { type ContextContent, contextContent, segmentContent, tagContent } from "./content.ts";
import type { Operation } from "./operation.ts";
import { Refusal } from "./state.ts";
import { assertVersion, found, type Work } from "./work.ts";

type Kind<K extends string> = Extract<Operation, { readonly kind: `${K}.${string}` }>;

export const segmentExists = conflict("A segment with this name exists in the project");
export const tagExists = conflict("A tag with this name exists in the project");
export const contextExists = conflict("A context with this key exists in the project");

/** Plans an operation of a segment. Throws: `Refusal`. */
export function planSegment(work: Work, operation: Kind<"segment">, n: number): void {
  const { now, segments } = work;
  if (operation.kind === "segment.create") {
    const { id: projectId } = work.projectOf(operation.target);
    const { name, description = null, constraints } = operation.input;
    const after = { name, description, constraints };
    assertNew(segments.values(), (row) => row.name === name, segmentExists);
    const id = work.newId("segments");
    segments.set(id, { id, projectId, ...after, version: 1, createdAt: now, updatedAt: now });
    return record(work, n, {
      type: "segment",
      verb: "created",
      row: { id, projectId },
      after,
      operation,
    });
  }
  const row = found(segments.get(operation.target.id), notFound("The segment does not exist"));
  assertVersion(operation, row.version);
  const { id } = row;
  const before = segmentContent(row);
  if (operation.kind === "segment.delete") {
    segments.delete(id);
    return record(work, n, { type: "segment", verb: "deleted", row, before, operation });
  }
  const after = { ...before, ...given(operation.input) };
  if (!changedFields({ before, after })) return;
  if (after.name !== row.name)
    assertNew(segments.values(), ({ name }) => name === after.name, segmentExists);
  segments.set(id, { ...row, ...after, version: row.version + 1, updatedAt: now });
  record(work, n, { type: "segment", verb: "updated", row, before, after, operation });
}

/** Plans an operation of a tag. Throws: `Refusal`. */
export function planTag(work: Work, operation: Kind<"tag">, n: number): void {
  const { now, tags } = work;
  if (operation.kind === "tag.create") {
    const { id: projectId } = work.projectOf(operation.target);
    const after = tagContent(operation.input);
    assertNew(tags.values(), ({ name }) => name === after.name, tagExists);
    const id = work.newId("tags");
    tags.set(id, { id, projectId, ...after, version: 1, createdAt: now });
    return record(work, n, {
      type: "tag",
      verb: "created",
      row: { id, projectId },
      after,
      operation,
    });
  }
  const row = found(tags.get(operation.target.id), notFound("The tag does not exist"));
  assertVersion(operation, row.version);
  const before = tagContent(row);
  if (operation.kind === "tag.delete") {
    tags.delete(row.id);
    return record(work, n, { type: "tag", verb: "deleted", row, before, operation });
  }
  const after = { ...before, ...given(operation.input) };
  if (!changedFields({ before, after })) return;
  if (after.name !== row.name)
    assertNew(tags.values(), ({ name }) => name === after.name, tagExists);
  tags.set(row.id, { ...row, ...after, version: row.version + 1 });
  record(work, n, { type: "tag", verb: "updated", row, before, after, operation });
}

/** Plans an operation of a context definition. Throws: `Refusal`. */
export function planContext(work: Work, operation: Kind<"context">, n: number): void {
  const { now, contexts, initial } = work;
  if (operation.kind === "context.create") {
    const { id: projectId } = work.projectOf(operation.target);
    const after = contextContent(operation.input);
    const { contextKey } = after;
    assertNew(contexts.values(), (row) => row.contextKey === contextKey, contextExists);
    const id = work.newId("context_definitions");
    contexts.set(id, { id, projectId, ...after, version: 1, createdAt: now });
    return record(work, n, {
      type: "context",
      verb: "created",
      row: { id, projectId },
      after,
      operation,
    });
  }
  const row = found(contexts.get(operation.target.id), notFound("The context does not exist"));
  assertVersion(operation, row.version);
  const before = contextContent(row);
  const values = initial.contextValues.filter(({ definitionId }) => definitionId === row.id);
  if (operation.kind === "context.delete") {
    contexts.delete(row.id);
    const more = auditOfValues("context.values-deleted", row, differences(values, []));
    return record(work, n, { type: "context", verb: "deleted", row, before, operation, more });
  }
  const after = { ...before, ...given(operation.input) };
  if (after.contextKey !== row.contextKey) {
    const message = "cannot be changed; send the current key or omit the field";
    throw new Refusal(invalid([{ field: "contextKey", message }]));
  }
  if (!changedFields({ before, after })) return;
  if (after.contextType !== row.contextType)
    assertValuesFit(
      after,
      values.map(({ value }) => value),
    );
  contexts.set(row.id, { ...row, ...after, version: row.version + 1 });
  record(work, n, { type: "context", verb: "updated", row, before, after, operation });
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

function assertNew<T>(
  rows: Iterator<T>,
  isSame: (row: T) => boolean,
  error: typeof tagExists,
): void {
  if (Iterator.from(rows).some(isSame)) throw new Refusal(error);
}

/** Returns the fields of a change that are given. */
const given = <T extends object>(change: { readonly [K in keyof T]?: T[K] | undefined }) =>
  Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  ) as Partial<T>;

interface Recorded {
  readonly type: "segment" | "tag" | "context";
  readonly verb: "created" | "updated" | "deleted";
  readonly row: { readonly id: number; readonly projectId: number };
  readonly before?: object;
  readonly after?: object;
  readonly operation: Operation;
  readonly more?: readonly AuditEntry[];
}

/** Records a change. Only segments have webhook events. */
function record(
  work: Work,
  n: number,
  { type, verb, row, before, after, ...rest }: Recorded,
): void {
  const { id: entityId, projectId } = row;
  const { operation, more = [] } = rest;
  const { revertsId } = operation;
  const action = `${type}.${verb}`;
  work.steps.push({
    operation: n,
    audit: [{ action, entityType: type, entityId, projectId, before, after, revertsId }, ...more],
    ...(type === "segment" && {
      event: { type: action as EventType, projectId, entityId, data: { segment: after ?? before } },
    }),
  });
}
