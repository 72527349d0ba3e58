import type { KeyType } from "@feature-flags/permissions/permissions";
import type { Constraint } from "@feature-flags/evaluation/rule";
import { DELTA_MEMORY_MS, type EnvironmentRules } from "../core/rules/snapshot.ts";
import { readStrategy, type StrategyField } from "../core/strategies/strategy.ts";
import type { SqlClient } from "../db/database.ts";
import { strategyExpressions } from "../db/strategy-columns.ts";
import { isCount, isKnownKey, isNumber, isText, validate } from "./validate.ts";

/**
 * The SQL queries of the client API. They are plain SQL, because drizzle costs time on the hot
 * path. Every query uses an index.
 */

/** An API key with its environment, as `findKey` reads them. */
export interface KeyRow {
  readonly id: number;
  readonly keyType: KeyType;
  readonly environmentId: number;
  readonly projectId: number;
  /** The revision of the key's environment when the row was read; 0 when the key is from KV. */
  readonly revision: number;
}

const KEY = `SELECT k.id, k.key_type AS keyType, k.environment_id AS environmentId,
  e.project_id AS projectId, e.revision
  FROM api_keys k JOIN environments e ON e.id = k.environment_id WHERE k.hash = ?`;

/**
 * Finds an API key by its hash, with the revision of its environment; null: the database session
 * does not see the key. Throws: D1's errors, and an error for an invalid row.
 */
export async function findKey(client: SqlClient, hash: string): Promise<KeyRow | null> {
  const row = await client.prepare(KEY).bind(hash).first<KeyRow>();
  return row && validate("the key's row", row, isKnownKey(row) && isNumber(row.revision));
}

const ENVIRONMENT = `SELECT revision, changed_at AS changedAt FROM environments WHERE id = ?`;

const STRATEGY = Object.entries(strategyExpressions("s"))
  .map(([field, expression]) => `${expression} AS ${field}`)
  .join(", ");

// The query reads an archived flag only while a delta response may still contain the flag.
const FLAGS = `SELECT f.key, f.name, f.archived, ${STRATEGY}
  FROM environments e JOIN flags f ON f.project_id = e.project_id
  LEFT JOIN strategies s ON s.flag_id = f.id AND s.environment_id = e.id
  WHERE e.id = ?1 AND (f.archived = 0 OR EXISTS (SELECT 1 FROM rule_changes c
    WHERE c.environment_id = ?1 AND c.flag_key = f.key AND c.changed_at >= ?2))
  ORDER BY f.id`;

const SEGMENTS = `SELECT id, name, constraints FROM segments WHERE id IN
  (SELECT segment_id FROM strategy_segments WHERE environment_id = ?)`;

const CHANGES = `SELECT flag_key AS key, flag_name AS name, revision, changed_at AS changedAt
  FROM rule_changes WHERE environment_id = ? AND changed_at >= ?`;

interface SegmentRecord {
  readonly id: number;
  readonly name: string;
  readonly constraints: string;
}

interface FlagRecord extends Readonly<Record<StrategyField, unknown>> {
  readonly key: string;
  readonly name: string;
  readonly archived: number;
}

/**
 * Reads everything from which a snapshot is built, in one transaction. `now`: epoch milliseconds.
 * Returns undefined when the environment does not exist. Throws: D1's errors, and an error for
 * invalid rows.
 */
export async function readEnvironmentRules(
  client: SqlClient,
  environmentId: number,
  now: number,
): Promise<EnvironmentRules | undefined> {
  const since = now - DELTA_MEMORY_MS;
  const [environment, flags, segments, changes] = await client.batch([
    client.prepare(ENVIRONMENT).bind(environmentId),
    client.prepare(FLAGS).bind(environmentId, since),
    client.prepare(SEGMENTS).bind(environmentId),
    client.prepare(CHANGES).bind(environmentId, since),
  ]);
  const [row] = rowsOf<Pick<EnvironmentRules, "revision" | "changedAt">>(
    environment,
    (one) => isNumber(one.revision) && isCount(one.changedAt),
  );
  if (!row) return undefined;
  return {
    environmentId,
    ...row,
    flags: rowsOf(flags, isFlag).map((flag) => ({
      key: flag.key,
      name: flag.name,
      archived: flag.archived === 1,
      strategy: readStrategy(flag),
    })),
    segments: new Map(
      rowsOf(segments, isSegment).map(({ id, name, constraints }) => [
        id,
        { name, constraints: parsed<Constraint>(constraints) },
      ]),
    ),
    changes: rowsOf(changes, isChange),
  };
}

/** Returns the rows of one query of a batch. Throws: when a row is not valid. */
function rowsOf<Row>(result: D1Result | undefined, isRow: (row: Row) => boolean): readonly Row[] {
  const rows = result?.results as Row[] | undefined;
  return validate("a row", rows ?? [], rows?.every(isRow) ?? false);
}

const isFlag = (flag: FlagRecord): boolean =>
  isText(flag.key) && isText(flag.name) && (flag.archived === 0 || flag.archived === 1);

const isSegment = ({ id, name, constraints }: SegmentRecord): boolean =>
  isNumber(id) && isText(name) && isText(constraints);

const isChange = (change: EnvironmentRules["changes"][number]): boolean =>
  isText(change.key) &&
  isText(change.name) &&
  isNumber(change.revision) &&
  isCount(change.changedAt);

/** Parses a JSON array from the database. Throws: when the text is not a JSON array. */
function parsed<T>(json: string): T[] {
  if (json === "[]") return [];
  const list = JSON.parse(json) as T[];
  return validate("a list", list, Array.isArray(list));
}
