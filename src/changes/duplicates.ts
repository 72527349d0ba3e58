import { sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { ApiError } from "../core/errors/api-error.ts";
import { isObject } from "../core/lib/is-object.ts";
import type { ReadDb } from "../db/database.ts";
import { inList } from "../db/json-list.ts";
import { contextDefinitions, flags, segments, tags } from "../db/schema/projects.ts";
import { flagExists } from "./plan/flag-plan.ts";
import { contextExists, segmentExists, tagExists } from "./plan/item-plan.ts";
import type { Plan, PlanError } from "./plan/plan.ts";
import type { State } from "./plan/state.ts";

/** A resource whose name, or key, is unique in its project. */
interface Unique {
  readonly kind: "flag" | "segment" | "tag" | "context";
  readonly table: SQLiteTable & { readonly id: SQLiteColumn; readonly projectId: SQLiteColumn };
  readonly column: SQLiteColumn;
  /** The field of the input that gives the name. */
  readonly field: "key" | "name" | "contextKey";
  /** Returns the names before or after the operations, by id. */
  readonly names: (rows: Pick<State, Rows>) => ReadonlyMap<number, string>;
  readonly error: ApiError;
}

type Rows = "flags" | "segments" | "tags" | "contexts";

const namesOf = <Row>(rows: ReadonlyMap<number, Row>, nameOf: (row: Row) => string) =>
  new Map(Array.from(rows, ([id, row]) => [id, nameOf(row)]));

const UNIQUE: readonly Unique[] = [
  {
    kind: "flag",
    table: flags,
    column: flags.key,
    field: "key",
    names: (rows) => namesOf(rows.flags, ({ key }) => key),
    error: flagExists,
  },
  {
    kind: "segment",
    table: segments,
    column: segments.name,
    field: "name",
    names: (rows) => namesOf(rows.segments, ({ name }) => name),
    error: segmentExists,
  },
  {
    kind: "tag",
    table: tags,
    column: tags.name,
    field: "name",
    names: (rows) => namesOf(rows.tags, ({ name }) => name),
    error: tagExists,
  },
  {
    kind: "context",
    table: contextDefinitions,
    column: contextDefinitions.contextKey,
    field: "contextKey",
    names: (rows) => namesOf(rows.contexts, ({ contextKey }) => contextKey),
    error: contextExists,
  },
];

/**
 * Returns the operations that give a resource a name which another resource of the project has. A
 * tag that a flag gets by name is none of them: the next attempt finds the tag.
 */
export async function findDuplicates(db: ReadDb, { operations, work }: Plan): Promise<PlanError[]> {
  const projectId = work.records[0]?.audit[0].projectId;
  const errors: PlanError[] = [];
  for (const { kind, table, column, field, names, error } of UNIQUE) {
    const [before, after] = [names(work.initial), names(work)];
    const given = [...after]
      .filter(([id, name]) => before.get(id) !== name)
      .map(([, name]) => name);
    if (given.length === 0) continue;
    const stored = await db
      .select({ id: table.id, name: column })
      .from(table)
      .where(sql`${table.projectId} = ${projectId} AND ${column} IN ${inList(given)}`);
    // The last operation that gives each name.
    const giving = new Map(
      operations.flatMap((one, n) =>
        one.kind.startsWith(`${kind}.`) ? [[valueOf(one.input, field), n] as const] : [],
      ),
    );
    for (const { id, name } of stored as { id: number; name: string }[]) {
      const operation = giving.get(name);
      if (operation !== undefined && (!before.has(id) || after.get(id) === name))
        errors.push({ operation, error, fault: undefined, subject: name });
    }
  }
  return errors;
}

const valueOf = (input: unknown, field: string): unknown =>
  isObject(input) && Object.hasOwn(input, field) ? input[field] : undefined;
