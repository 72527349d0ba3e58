import { type ManifestSource, MAX_DESCRIPTION } from "@feature-flags/client-api/manifest";
import { FLAG_CLIENTS, type FlagClients, type Variant } from "../../core/flags/variants.ts";
import type { SqlClient } from "../../db/database.ts";
import { variantsExpression } from "../../db/flag-columns.ts";
import { isText, validate } from "../sources/validate.ts";

const FLAGS = `SELECT f.key, f.name, substr(f.description, 1, ${MAX_DESCRIPTION}) AS description,
  f.clients, f.value_type AS valueType, ${variantsExpression("f")} AS variants, f.off_variant AS offVariant
  FROM flags f WHERE f.project_id = ? AND f.archived = 0 ORDER BY f.id`;

/** A flag of the manifest, and which clients get it. */
export interface ListedFlag extends ManifestSource {
  readonly clients: FlagClients;
}

interface FlagRecord extends Omit<ListedFlag, "variants"> {
  readonly variants: string;
}

const isFlag = ({ key, name, clients, valueType, variants }: FlagRecord): boolean =>
  [key, name, valueType, variants].every(isText) && FLAG_CLIENTS.includes(clients);

/**
 * Reads the number of the newest event of a project; 0 for a deleted project. Every change of a flag
 * has an event. Throws: D1's errors.
 */
export async function readSequence(client: SqlClient, projectId: number): Promise<number> {
  const sql = "SELECT event_sequence AS sequence FROM projects WHERE id = ?";
  const row = await client.prepare(sql).bind(projectId).first<{ sequence: number }>();
  return row?.sequence ?? 0;
}

/**
 * Reads the flags of a project that are not archived, in the order of their creation. Throws: D1's
 * errors, and an error for an invalid row.
 */
export async function readManifestFlags(
  client: SqlClient,
  projectId: number,
): Promise<ListedFlag[]> {
  const { results } = await client.prepare(FLAGS).bind(projectId).all<FlagRecord>();
  return validate("a flag", results, results.every(isFlag)).map(readFlag);
}

function readFlag({ variants, ...flag }: FlagRecord): ListedFlag {
  const list = JSON.parse(variants) as Variant[];
  return { ...flag, variants: validate("a list", list, Array.isArray(list)) };
}
