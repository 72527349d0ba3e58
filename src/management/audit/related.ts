import { isObject } from "../../core/lib/is-object.ts";
import type { ReadDb } from "../../db/database.ts";
import type { AuditRow } from "../../model/audit/queries.ts";
import {
  currentNames,
  isNamed,
  recordedNames,
  type Reference,
} from "../../model/audit/related-queries.ts";

/** The name of a row that audit records refer to. */
export interface RelatedName extends Reference {
  readonly name: string;
  /** Whether the row was deleted. `name` is then the name in its newest audit record. */
  readonly deleted: boolean;
  /**
   * Whether the environment is a production environment; undefined for other rows and for deleted
   * environments.
   */
  readonly production?: boolean;
}

/**
 * Returns the names of the rows to which audit records refer: the changed resource, its project and
 * environment, and the environments and segments in the contents. A deleted row whose records have
 * no name is left out. Executes at most two SQL statements.
 */
export async function relatedNames(
  db: ReadDb,
  records: readonly AuditRow[],
): Promise<RelatedName[]> {
  const references = referencesIn(records);
  if (references.length === 0) return [];
  const rows = await currentNames(db, references);
  const missing = rows.filter(({ name }) => name === null);
  const recorded = missing.length === 0 ? [] : await recordedNames(db, missing);
  const withNames = (found: typeof rows, deleted: boolean) =>
    found.flatMap(({ entityType, id, name, production }) => {
      if (name === null) return [];
      const isProduction = production === null ? {} : { production: production === 1 };
      return [{ entityType, id, name, deleted, ...isProduction }];
    });
  return [...withNames(rows, false), ...withNames(recorded, true)];
}

function referencesIn(records: readonly AuditRow[]): Reference[] {
  const found = new Map<string, Reference>();
  const add = (entityType: string, id: unknown) => {
    if (typeof id === "number" && isNamed(entityType))
      found.set(`${entityType} ${id}`, { entityType, id });
  };
  for (const { entityType, entityId, projectId, environmentId, before, after } of records) {
    add(entityType, entityId);
    add("project", projectId);
    add("environment", environmentId);
    for (const content of [before, after]) {
      const { environmentId: environment, rules } = fieldsOf(content);
      add("environment", environment);
      for (const holder of [content, ...listOf(rules)])
        for (const id of listOf(fieldsOf(holder)["segmentIds"])) add("segment", id);
    }
  }
  return [...found.values()];
}

/**
 * Returns the fields of a content; none if it is no object. The contents of old records may have
 * any form, and long contents are shortened.
 */
const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) ? value : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
