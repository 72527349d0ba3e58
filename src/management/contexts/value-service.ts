import type { AuditAction } from "../../core/audit/actions.ts";
import { conflict, invalid, notFound } from "../../core/errors/api-error.ts";
import type { AuditEntry } from "../../db/audit.ts";
import { belowLimit } from "../../db/quota.ts";
import { contextValues } from "../../db/schema/projects.ts";
import { type Call, reads, writes } from "../../access/call.ts";
import type { ById, ByIdIfMatch, ChangeOf } from "../../core/lib/input.ts";
import { execute } from "../../changes/execute.ts";
import { optimisticUpdate, staleRow, unchanged } from "../../model/optimistic-update.ts";
import { inScope } from "../../access/scope.ts";
import { contextHasType, type ContextRow, incrementVersion } from "../../model/contexts/queries.ts";
import { getContext } from "./service.ts";
import * as queries from "../../model/contexts/value-queries.ts";
import type {
  ValueContent,
  ValueRow,
  ValueWithDefinition,
} from "../../model/contexts/value-queries.ts";
import { contentOfValue, MAX_VALUES, unfitValues } from "../../model/contexts/value-set.ts";

const missing = () => notFound("The context value does not exist");
const duplicate = conflict("The context already has this value");

interface OfDefinition {
  readonly definitionId: number;
}

interface ValueList {
  readonly definition: ContextRow;
  readonly values: readonly ValueRow[];
}

/**
 * Returns a context definition with its values. Throws: 404 for an unknown context definition, 403
 * for an API key of another project.
 */
export async function listContextValues(
  call: Call,
  { definitionId }: OfDefinition,
): Promise<ValueList> {
  // Reads the version before the values. If the values change in between, the ETag is outdated and
  // a later If-Match fails. In the opposite order, a later If-Match would succeed and overwrite a
  // change that the client has not seen.
  const definition = await getContext(call, { id: definitionId });
  const { db } = reads(call, "context:read", definition);
  return { definition, values: await queries.listValues(db, definitionId) };
}

/**
 * Returns a context value and its context definition. Throws: 404 for an unknown id, 403 for an API
 * key of another project.
 */
export async function getContextValue(call: Call, { id }: ById): Promise<ValueWithDefinition> {
  const ctx = reads(call, "context:read");
  const value = await queries.findValue(ctx.db, id);
  inScope(ctx, value?.definition, missing());
  if (!value) throw missing();
  return value;
}

/**
 * Adds a value to a context definition.
 * Throws: 400 if the value does not fit the context type, 404 for an unknown definition, 409 if the
 * definition already has the value, 402 if the definition has `MAX_VALUES` values.
 */
export async function createContextValue(
  call: Call,
  { definitionId, value, description }: OfDefinition & ValueContent,
): Promise<ValueRow> {
  reads(call, "context:write");
  await optimisticUpdate({
    read: () => getContext(call, { id: definitionId }),
    write: (definition) => {
      assertFits(definition, value);
      return writes(call, "context:write", definition).commit({
        guards: [
          // Fails if the type of the context definition has changed. The guard ignores the version,
          // so that simultaneous additions of values do not conflict.
          { holds: contextHasType(definitionId, definition.contextType), error: staleRow },
          belowLimit(queries.countValues(definitionId), MAX_VALUES, "values in a context"),
        ],
        statements: [
          queries.insertValue({ definitionId, value, description, createdAt: call.now() }),
          incrementVersion(definitionId),
        ],
        audit: [
          {
            action: "context-value.created",
            entityType: "context-value",
            entityId: queries.valueIdByText(definitionId, value),
            projectId: definition.projectId,
            after: { contextKey: definition.contextKey, value, description },
          },
        ],
        onDuplicate: duplicate,
      });
    },
  });
  const { db } = reads(call, "context:read");
  const created = await queries.findValueByText(db, definitionId, value);
  if (!created) throw missing();
  return created;
}

/**
 * Replaces all values of a context definition by `values`. A stored value that is also in `values`
 * keeps its id. Writes nothing if the stored values already equal `values`.
 * Throws: 400 if a value does not fit the context type, 404 for an unknown definition, 412 if
 * `ifMatch` does not contain the current version of the definition.
 */
export async function replaceContextValues(
  call: Call,
  input: OfDefinition & Pick<ByIdIfMatch, "ifMatch"> & { readonly values: readonly ValueContent[] },
): Promise<ValueList> {
  reads(call, "context:write");
  const { definitionId: id, ifMatch, values } = input;
  await execute(call, [{ kind: "context.replace-values", target: { id }, ifMatch, input: values }]);
  return listContextValues(call, { definitionId: id });
}

/**
 * Changes a context value. Throws: 400 if the new value does not fit the context type, 404 for an unknown id,
 * 409 if the context definition already has the new value, 412 if `ifMatch` does not contain the value's
 * current version.
 */
export async function updateContextValue(
  call: Call,
  { id, ifMatch, ...change }: ByIdIfMatch & ChangeOf<ValueContent>,
): Promise<ValueRow> {
  reads(call, "context:write");
  const read = () => getContextValue(call, { id });
  await optimisticUpdate({
    ifMatch,
    read,
    write: (row) => {
      const { value = row.value, description = row.description } = change;
      const { definition } = row;
      assertFits(definition, value);
      return writes(call, "context:write", definition).commit({
        guards: [
          unchanged(contextValues, row),
          { holds: contextHasType(definition.id, definition.contextType), error: staleRow },
        ],
        statements: [
          queries.updateValue(id, { value, description }),
          incrementVersion(definition.id),
        ],
        audit: [
          {
            ...auditOf("context-value.updated", row),
            after: { contextKey: definition.contextKey, value, description },
          },
        ],
        onDuplicate: duplicate,
      });
    },
  });
  return read();
}

/** Deletes a context value. Throws: 404 for an unknown id. */
export async function deleteContextValue(call: Call, { id }: ById): Promise<void> {
  reads(call, "context:write");
  await optimisticUpdate({
    read: () => getContextValue(call, { id }),
    write: (row) =>
      writes(call, "context:write", row.definition).commit({
        guards: [unchanged(contextValues, row)],
        statements: [queries.deleteValue(id), incrementVersion(row.definition.id)],
        audit: [auditOf("context-value.deleted", row)],
      }),
  });
}

function assertFits(definition: ValueWithDefinition["definition"], value: string): void {
  const unfit = unfitValues(definition, [value]);
  if (unfit.length > 0) throw invalid(unfit.map(({ message }) => ({ field: "value", message })));
}

const auditOf = (action: AuditAction, row: ValueWithDefinition): AuditEntry => ({
  action,
  entityType: "context-value",
  entityId: row.id,
  projectId: row.definition.projectId,
  before: { contextKey: row.definition.contextKey, ...contentOfValue(row) },
});
