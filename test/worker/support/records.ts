import { env } from "cloudflare:workers";
import type { Answer, Json } from "./client.ts";

/** The trace id of a response. The audit records and outbox events of the request have it, too. */
const traceOf = (answer: Answer<Json>) => answer.headers.get("X-B3-TraceId");

/** The rows that an SQL query of the database returns. */
export async function rows(sql: string, ...values: unknown[]): Promise<Json[]> {
  const { results } = await env.DB.prepare(sql)
    .bind(...values)
    .all();
  return results;
}

const parsed = (text: string | null) => (text === null ? null : JSON.parse(text));

/** The audit records that the request wrote, oldest first. */
export async function auditOf(answer: Answer<Json>): Promise<Json[]> {
  const found = await rows("SELECT * FROM audit WHERE trace_id = ? ORDER BY id", traceOf(answer));
  return found.map((row) =>
    Object.assign(row, { before: parsed(row.before), after: parsed(row.after) }),
  );
}

/** The webhook events that the request added to the outbox, oldest first. */
export async function eventsOf(answer: Answer<Json>): Promise<Json[]> {
  const found = await rows("SELECT * FROM outbox WHERE trace_id = ? ORDER BY id", traceOf(answer));
  return found.map((row) => Object.assign(row, { data: parsed(row.data) }));
}

export async function auditOfEntity(type: string, id: number): Promise<Json[]> {
  return rows("SELECT * FROM audit WHERE entity_type = ? AND entity_id = ? ORDER BY id", type, id);
}

/** The actions of the audit records about a user, oldest first. */
export const actionsAbout = async (userId: number): Promise<string[]> =>
  (await auditOfEntity("user", userId)).map(({ action }) => action);

/** Every row of every table. Equal before and after a request means that nothing was written. */
export async function wholeDatabase(): Promise<Record<string, Json[]>> {
  const tables = await rows(`SELECT name FROM sqlite_master WHERE type = 'table'
    AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name <> 'd1_migrations'`);
  const contents: Record<string, Json[]> = {};
  for (const { name } of tables) contents[name] = await rows(`SELECT * FROM "${name}"`);
  return contents;
}

export async function revisionOf(environmentId: number): Promise<number> {
  const [row] = await rows("SELECT revision FROM environments WHERE id = ?", environmentId);
  return row.revision;
}
