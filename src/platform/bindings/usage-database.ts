import type { HourWrite, LastUses } from "../../core/usage/usage-entries.ts";
import { record } from "../../db/commit.ts";
import { readDb } from "../../db/database.ts";
import { projectExists } from "../../jobs/usage/queries.ts";
import { writeHour, writeUses } from "../../jobs/usage/write-usage.ts";
import { openSession } from "./database.ts";
import { now } from "../runtime/clock.ts";
import { observeQuery } from "../runtime/metrics.ts";

/** Returns what a usage object reads and writes in the database, in a session of its own. */
export function usageDatabase(env: Env) {
  const session = openSession(env.DB, "first-primary", observeQuery);
  const deps = {
    db: readDb(session),
    record: <Row>(statements: Parameters<typeof record>[1]) => record<Row>(session, statements),
    now,
  };
  return {
    projectExists: (projectId: number) => projectExists(deps.db, projectId),
    writeHour: (write: HourWrite) => writeHour(deps, write),
    writeUses: (projectId: number, uses: LastUses) => writeUses(deps, projectId, uses),
  };
}
