import type { KeyType } from "@feature-flags/permissions/permissions";
import type { Constraint, Prerequisite } from "@feature-flags/evaluation/rule";
import { FLAG_CLIENTS, type FlagClients, type Variant } from "../../core/flags/variants.ts";
import { DELTA_MEMORY_MS } from "@feature-flags/client-api/changes";
import type { EnvironmentRules, FlagRule } from "../../core/rules/snapshot.ts";
import { readStrategy, type StrategyColumn } from "../../core/strategies/strategy.ts";
import type { SqlClient } from "../../db/database.ts";
import { strategyExpressions } from "../../db/strategy-columns.ts";
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

/** What the database knows about the hash of an API key. */
export interface FoundKey {
  /** undefined: the database session does not see an API key with this hash. */
  readonly key: KeyRow | undefined;
  /** When the API key was created, epoch milliseconds; undefined without a key. */
  readonly createdAt: number | undefined;
  /** Whether an API key with this hash was deleted. */
  readonly isRevoked: boolean;
  /**
   * When a use of the deleted API key was last audited, epoch milliseconds; null: never, or the API
   * key was not deleted.
   */
  readonly reportedAt: number | null;
}

const KEY = `SELECT k.id, k.key_type AS keyType, k.environment_id AS environmentId,
  e.project_id AS projectId, e.revision, k.created_at AS createdAt,
  r.hash IS NOT NULL AS isRevoked, r.reported_at AS reportedAt
  FROM (SELECT ?1 AS hash) asked
  LEFT JOIN api_keys k ON k.hash = asked.hash
  LEFT JOIN environments e ON e.id = k.environment_id
  LEFT JOIN revoked_keys r ON r.hash = asked.hash`;

/** The row of `KEY`. Without an API key, its columns are NULL. */
interface KeyRecord extends Omit<KeyRow, "id"> {
  readonly id: number | null;
  readonly createdAt: number;
  readonly isRevoked: 0 | 1;
  readonly reportedAt: number | null;
}

const isKeyRecord = (row: KeyRecord): boolean =>
  (row.isRevoked === 0 || row.isRevoked === 1) &&
  (row.reportedAt === null || isCount(row.reportedAt)) &&
  (row.id === null || (isKnownKey(row) && isNumber(row.revision) && isCount(row.createdAt)));

/**
 * Finds an API key by its hash, with the revision of its environment. The same statement reads
 * whether the key was deleted. Throws: D1's errors, and an error for an invalid row.
 */
export async function findKey(client: SqlClient, hash: string): Promise<FoundKey> {
  const row = await client.prepare(KEY).bind(hash).first<KeyRecord>();
  if (!row || !isKeyRecord(row)) throw new Error("the key's row is not valid");
  const { id, keyType, environmentId, projectId, revision, createdAt, reportedAt } = row;
  const key = id === null ? undefined : { id, keyType, environmentId, projectId, revision };
  return { key, createdAt: key && createdAt, isRevoked: row.isRevoked === 1, reportedAt };
}

const KEY_BY_ID = `SELECT k.id, k.key_type AS keyType, k.environment_id AS environmentId,
  e.project_id AS projectId, e.revision
  FROM api_keys k JOIN environments e ON e.id = k.environment_id WHERE k.id = ?`;

/**
 * Finds an API key by its id, with the revision of its environment. Throws: D1's errors, and an
 * error for an invalid row.
 */
export async function findKeyById(client: SqlClient, id: number): Promise<KeyRow | undefined> {
  const row = await client.prepare(KEY_BY_ID).bind(id).first<KeyRow>();
  if (!row) return undefined;
  return validate("the key's row", row, isKnownKey(row) && isNumber(row.revision));
}

const ENVIRONMENT_BY_ID = "SELECT project_id AS projectId, revision FROM environments WHERE id = ?";

/**
 * Finds an environment by its id, for a caller without an API key. The result is like the row of a
 * SERVER key. Throws: D1's errors, and an error for an invalid row.
 */
export async function findEnvironment(client: SqlClient, id: number): Promise<KeyRow | undefined> {
  const row = await client
    .prepare(ENVIRONMENT_BY_ID)
    .bind(id)
    .first<Pick<KeyRow, "projectId" | "revision">>();
  if (!row) return undefined;
  const isValid = isNumber(row.projectId) && isNumber(row.revision);
  return validate("the environment's row", { ...keyless(id), ...row }, isValid);
}

/** The project id of a row whose project is unknown. */
export const UNKNOWN_PROJECT = 0;

/**
 * Returns a row like that of a SERVER key for an environment whose project and revision are unknown,
 * because the database is unavailable.
 */
export const keyless = (environmentId: number): KeyRow => ({
  id: 0,
  keyType: "SERVER",
  environmentId,
  projectId: UNKNOWN_PROJECT,
  revision: 0,
});

const REVISION = "SELECT revision FROM environments WHERE id = ?";

/**
 * Reads the revision of an environment; 0 when the environment does not exist. Throws: D1's errors,
 * and an error for an invalid row.
 */
export async function readRevision(client: SqlClient, environmentId: number): Promise<number> {
  const row = await client
    .prepare(REVISION)
    .bind(environmentId)
    .first<Pick<EnvironmentRules, "revision">>();
  return validate("a row", row?.revision ?? 0, row === null || isNumber(row.revision));
}

const ENVIRONMENT = `SELECT revision, changed_at AS changedAt,
  (SELECT json_group_array(key) FROM flags f
    WHERE f.project_id = environments.project_id AND f.archived = 1) AS archivedKeys,
  (SELECT json_group_array(key) FROM flags f
    WHERE f.project_id = environments.project_id AND f.archived = 1
      AND f.clients = 'server') AS archivedServerKeys
  FROM environments WHERE id = ?`;

const STRATEGY = Object.entries(strategyExpressions("s"))
  .map(([field, expression]) => `${expression} AS ${field}`)
  .join(", ");

// Selects the prerequisites with a subquery, as the segments, because one statement costs less than
// two.
const PREREQUISITES = `(SELECT json_group_array(json_array(key, enabled, json(variants)))
  FROM (SELECT r.key, p.enabled, p.variants FROM flag_prerequisites p
    JOIN flags r ON r.id = p.required_flag_id WHERE p.flag_id = f.id ORDER BY p.position))`;

// Reads an archived flag only if its rule changed recently enough for a delta response. Leaves out
// the values of an archived flag, because a tombstone has none.
const FLAGS = `SELECT f.key, f.name, f.archived, f.value_type AS valueType,
  iif(f.archived, NULL, f.variants) AS variants, f.off_variant AS offVariant,
  f.clients, ${PREREQUISITES} AS prerequisites, ${STRATEGY}
  FROM environments e JOIN flags f ON f.project_id = e.project_id
  LEFT JOIN strategies s ON s.flag_id = f.id AND s.environment_id = e.id
  WHERE e.id = ?1 AND (f.archived = 0 OR EXISTS (SELECT 1 FROM rule_changes c
    WHERE c.environment_id = ?1 AND c.flag_key = f.key AND c.changed_at >= ?2))
  ORDER BY f.id`;

const SEGMENTS = `SELECT id, name, constraints FROM segments WHERE id IN
  (SELECT segment_id FROM strategy_segments WHERE environment_id = ?1 UNION ALL
   SELECT segment_id FROM strategy_rule_segments WHERE environment_id = ?1)`;

const CHANGES = `SELECT flag_key AS key, flag_name AS name, revision, changed_at AS changedAt
  FROM rule_changes WHERE environment_id = ? AND changed_at >= ?`;

interface EnvironmentRecord extends Pick<EnvironmentRules, "revision" | "changedAt"> {
  readonly archivedKeys: string;
  readonly archivedServerKeys: string;
}

interface SegmentRecord {
  readonly id: number;
  readonly name: string;
  readonly constraints: string;
}

interface FlagRecord extends Readonly<Record<StrategyColumn, unknown>> {
  readonly key: string;
  readonly name: string;
  readonly archived: number;
  readonly valueType: string;
  /** The variants as JSON; null for a boolean flag. */
  readonly variants: string | null;
  readonly offVariant: string | null;
  readonly clients: FlagClients;
  readonly prerequisites: string;
}

/** A prerequisite in the JSON of `PREREQUISITES`. */
type PrerequisiteRecord = [flagKey: string, enabled: 0 | 1, variants: string[] | null];

/**
 * Reads everything from which a snapshot is built, in one transaction. `now`: epoch milliseconds. Returns
 * undefined when the environment does not exist. Throws: D1's errors, and an error for invalid rows.
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
  const [row] = rowsOf(environment, isEnvironment);
  if (!row) return undefined;
  return {
    environmentId,
    revision: row.revision,
    changedAt: row.changedAt,
    archivedKeys: parsed<string>(row.archivedKeys),
    archivedServerKeys: parsed<string>(row.archivedServerKeys),
    flags: rowsOf(flags, isFlag).map(readFlag),
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

const isEnvironment = (row: EnvironmentRecord): boolean =>
  isNumber(row.revision) &&
  isCount(row.changedAt) &&
  isText(row.archivedKeys) &&
  isText(row.archivedServerKeys);

const isFlag = (flag: FlagRecord): boolean =>
  isText(flag.key) &&
  isText(flag.name) &&
  (flag.archived === 0 || flag.archived === 1) &&
  isText(flag.valueType) &&
  (flag.variants === null || isText(flag.variants)) &&
  (flag.offVariant === null || isText(flag.offVariant)) &&
  FLAG_CLIENTS.includes(flag.clients) &&
  isText(flag.prerequisites);

const isSegment = ({ id, name, constraints }: SegmentRecord): boolean =>
  isNumber(id) && isText(name) && isText(constraints);

const isChange = (change: EnvironmentRules["changes"][number]): boolean =>
  isText(change.key) &&
  isText(change.name) &&
  isNumber(change.revision) &&
  isCount(change.changedAt);

/** Throws: when a column with JSON, or one of the strategy, is not valid. */
function readFlag(flag: FlagRecord): FlagRule {
  const { key, name, valueType, variants, offVariant, clients } = flag;
  const prerequisites = parsed<PrerequisiteRecord>(flag.prerequisites).map(readPrerequisite);
  return {
    key,
    name,
    valueType,
    ...(variants !== null && { variants: parsed<Variant>(variants) }),
    offVariant,
    clients,
    prerequisites,
    archived: flag.archived === 1,
    strategy: readStrategy(flag),
  };
}

const readPrerequisite = ([flagKey, enabled, variants]: PrerequisiteRecord): Prerequisite => ({
  flagKey,
  enabled: enabled === 1,
  ...(variants !== null && { variants }),
});

/** Parses a JSON array from the database. Throws: when the text is not a JSON array. */
function parsed<T>(json: string): T[] {
  if (json === "[]") return [];
  const list = JSON.parse(json) as T[];
  return validate("a list", list, Array.isArray(list));
}
