import { conflict, invalid, notFound } from "../../core/errors/api-error.ts";
import type { Actor } from "@feature-flags/permissions/permissions";
import type { AuditEntry } from "../../db/audit.ts";
import { belowLimit } from "../../db/quota.ts";
import { contextDefinitions, contextValues } from "../../db/schema/projects.ts";
import type { ManagementDeps } from "../deps.ts";
import { optimisticUpdate, staleRow, unchanged } from "../optimistic-update.ts";
import { assertInScope } from "../scope.ts";
import { contextHasType, type ContextRow, touchContext } from "./queries.ts";
import { getContext } from "./service.ts";
import * as queries from "./value-queries.ts";
import type { ValueContent, ValueRow, ValueWithDefinition } from "./value-queries.ts";
import {
  auditOfValues,
  contentOfValue,
  differences,
  MAX_VALUES,
  unfitValues,
} from "./value-set.ts";

const missing = () => notFound("The value");
const duplicate = conflict("The context has this value already");

interface ValueList {
  readonly definition: ContextRow;
  readonly values: readonly ValueRow[];
}

/** Errors: 404 for the definition, 403 for a key of another project. */
export async function listContextValues(
  deps: ManagementDeps,
  actor: Actor,
  definitionId: number,
): Promise<ValueList> {
  // In this order: a list newer than its version costs a retry, an older one a lost change.
  const definition = await getContext(deps, actor, definitionId);
  return { definition, values: await queries.listValues(deps.db, definitionId) };
}

/** Errors: 404, 403 for a key of another project. */
export async function getContextValue(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
): Promise<ValueWithDefinition> {
  const value = await queries.findValue(deps.db, id);
  if (!value) throw missing();
  assertInScope(actor, value.definition.projectId);
  return value;
}

/** Errors: 400 for a value of another type, 404 for the definition, 409, 402 when it is full. */
export async function createContextValue(
  deps: ManagementDeps,
  actor: Actor,
  definitionId: number,
  input: ValueContent,
): Promise<ValueRow> {
  const { value, description } = input;
  const read = () => getContext(deps, actor, definitionId);
  // Guarded by the type alone: values that people add at the same time do not disturb each other.
  await optimisticUpdate({
    read,
    write: (definition) => {
      assertFits(definition, value);
      return deps.commit(actor, {
        guards: [
          { holds: contextHasType(definitionId, definition.contextType), error: staleRow },
          belowLimit(queries.countValues(definitionId), MAX_VALUES, "values in a context"),
        ],
        statements: [
          queries.insertValue({ definitionId, value, description, createdAt: deps.now() }),
          touchContext(definitionId),
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
  const created = await queries.findValueByText(deps.db, definitionId, value);
  if (!created) throw missing();
  return created;
}

/**
 * The values become exactly these; those that stay keep their ids. Without a difference nothing
 * is written. Errors: 400 for values of another type, 404 for the definition, 412.
 */
export async function replaceContextValues(
  deps: ManagementDeps,
  actor: Actor,
  definitionId: number,
  input: readonly ValueContent[],
  ifMatch: readonly number[] | undefined,
): Promise<ValueList> {
  const read = () => getContext(deps, actor, definitionId);
  await optimisticUpdate({
    ifMatch,
    read,
    write: async (definition) => {
      const faults = unfitValues(
        definition,
        input.map(({ value }) => value),
      );
      if (faults.length > 0)
        throw invalid(faults.map(({ index, message }) => ({ field: `${index}.value`, message })));
      const changed = differences(await queries.listValues(deps.db, definitionId), input);
      const [first, ...more] = auditOfValues("context.values-replaced", definition, changed);
      if (!first) return;
      const removed = changed.flatMap(({ id, after }) => (id === undefined || after ? [] : id));
      const written = changed.flatMap(({ after }) => after ?? []);
      await deps.commit(actor, {
        guards: [unchanged(contextDefinitions, definition)],
        statements: [
          ...queries.replaceValues(definitionId, removed, written, deps.now()),
          touchContext(definitionId),
        ],
        audit: [first, ...more],
      });
    },
  });
  return listContextValues(deps, actor, definitionId);
}

/** What is left out stays. Errors: 400 for a value of another type, 404, 409, 412. */
export async function updateContextValue(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
  input: { readonly [K in keyof ValueContent]?: ValueContent[K] | undefined },
  ifMatch: readonly number[] | undefined,
): Promise<ValueRow> {
  const read = () => getContextValue(deps, actor, id);
  await optimisticUpdate({
    ifMatch,
    read,
    write: (row) => {
      const { value = row.value, description = row.description } = input;
      const { definition } = row;
      assertFits(definition, value);
      return deps.commit(actor, {
        guards: [
          unchanged(contextValues, row),
          { holds: contextHasType(definition.id, definition.contextType), error: staleRow },
        ],
        statements: [queries.updateValue(id, { value, description }), touchContext(definition.id)],
        audit: [
          {
            ...told("context-value.updated", row),
            after: { contextKey: definition.contextKey, value, description },
          },
        ],
        onDuplicate: duplicate,
      });
    },
  });
  return read();
}

/** Errors: 404. */
export async function deleteContextValue(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
): Promise<void> {
  const read = () => getContextValue(deps, actor, id);
  await optimisticUpdate({
    read,
    write: (row) =>
      deps.commit(actor, {
        guards: [unchanged(contextValues, row)],
        statements: [queries.deleteValue(id), touchContext(row.definition.id)],
        audit: [told("context-value.deleted", row)],
      }),
  });
}

function assertFits(definition: ValueWithDefinition["definition"], value: string): void {
  const faults = unfitValues(definition, [value]);
  if (faults.length > 0) throw invalid(faults.map(({ message }) => ({ field: "value", message })));
}

const told = (action: string, row: ValueWithDefinition): AuditEntry => ({
  action,
  entityType: "context-value",
  entityId: row.id,
  projectId: row.definition.projectId,
  before: { contextKey: row.definition.contextKey, ...contentOfValue(row) },
});
