import { sql } from "drizzle-orm";
import { log } from "../http/log.ts";
import { newTraceId } from "../http/trace.ts";
import type { JobDeps } from "./deps.ts";

/** The number of rows that one query reads. Rows are read in the order of their rowid. */
const PAGE = 200;

interface SealedRow {
  readonly row: number;
  readonly sealed: string;
}

/**
 * The table columns with sealed (encrypted) texts. `many: true`: the column has a JSON object whose
 * values are sealed texts.
 */
const PLACES = [
  { table: "user_mfa", column: "secret", many: false },
  { table: "integrations", column: "secret", many: false },
  { table: "integrations", column: "previous_secret", many: false },
  { table: "integrations", column: "headers", many: true },
  { table: "identity_providers", column: "secret", many: false },
] as const;

/**
 * The job that completes a change of the encryption key. Decrypts every text that the previous key has
 * encrypted, and encrypts it with the current key. Logs the number of changed rows. After a run without a
 * fault, the previous key can be removed. Throws: errors of the database and of the vault.
 */
export async function reseal(deps: JobDeps): Promise<void> {
  const changed = await resealRows(deps);
  if (changed === 0) return;
  const fields = { traceId: newTraceId(), rows: changed };
  log("INFO", "app.jobs", "Rows were sealed again with the current encryption key", fields);
}

async function resealRows(deps: JobDeps): Promise<number> {
  let changed = 0;
  for (const place of PLACES) {
    const [table, column] = [sql.identifier(place.table), sql.identifier(place.column)];
    const resealed = place.many ? resealAll : (text: string) => deps.vault.reseal(text);
    let after = 0;
    for (;;) {
      const [rows = []] = await deps.record<SealedRow>([
        sql`SELECT rowid AS "row", ${column} AS sealed FROM ${table}
          WHERE rowid > ${after} AND ${column} IS NOT NULL ORDER BY rowid LIMIT ${PAGE}`,
      ]);
      for (const { row, sealed } of rows) {
        const text = await resealed(sealed, deps);
        if (text === undefined) continue;
        // Updates the row only if its value is unchanged, because a request may have written a new
        // value meanwhile.
        const change = sql`UPDATE ${table} SET ${column} = ${text}
          WHERE rowid = ${row} AND ${column} = ${sealed}`;
        await deps.record([change]);
        changed += 1;
      }
      if (rows.length < PAGE) break;
      after = rows.at(-1)?.row ?? after;
    }
  }
  return changed;
}

async function resealAll(json: string, { vault }: JobDeps): Promise<string | undefined> {
  const texts = JSON.parse(json) as Record<string, string>;
  const entries = await Promise.all(
    Object.entries(texts).map(
      async ([name, sealed]) => [name, sealed, await vault.reseal(sealed)] as const,
    ),
  );
  if (entries.every(([, , text]) => text === undefined)) return undefined;
  return JSON.stringify(Object.fromEntries(entries.map(([n, old, text]) => [n, text ?? old])));
}
