import { recordWork, type WorkInstruments } from "../core/metrics/instruments.ts";
import { buildSnapshot, type Snapshot } from "../core/rules/snapshot.ts";
import type { SqlClient } from "../db/database.ts";
import { readEnvironmentRules } from "./queries.ts";

/** The rules of an environment as the database has them; undefined: it is gone. `now`: epoch ms. */
export const buildRules = (
  meter: WorkInstruments,
  now: () => number,
  session: SqlClient,
  environmentId: number,
): Promise<Snapshot | undefined> =>
  recordWork(meter, now, async () => {
    const rules = await readEnvironmentRules(session, environmentId, now());
    return rules && buildSnapshot(rules);
  });
