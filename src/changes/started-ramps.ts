import { startOf } from "../core/insights/series.ts";
import type { ReadDb } from "../db/database.ts";
import type { ramps } from "../db/schema/ramps.ts";
import type { Call } from "../access/call.ts";
import { flagCounts } from "../model/insights/queries.ts";
import { flagEntries } from "../model/insights/unwritten-usage.ts";
import type { RampInput } from "./plan/operation.ts";
import { type NewRamp, type RampRow, starterColumns } from "../model/ramps/queries.ts";

export const startedRamps = (
  call: Call,
  db: ReadDb,
  started: readonly NewRamp[],
): Promise<(typeof ramps.$inferInsert)[]> =>
  Promise.all(
    started.map(async (ramp) =>
      Object.assign({}, ramp, starterColumns(call.actor), {
        evaluationsBefore: await evaluationsBefore(call, db, ramp),
      }),
    ),
  );

export const rampInput = ({ ruleId, steps, minEvaluations }: NewRamp): RampInput => ({
  ...(ruleId !== null && { ruleId }),
  steps,
  ...(minEvaluations !== null && { minEvaluations }),
});

type Counted = Pick<
  RampRow,
  "projectId" | "flagId" | "flagKey" | "environmentId" | "minEvaluations"
>;

/**
 * Returns how often the flag of a ramp was evaluated in the hour of a step before that step; 0 if the
 * ramp needs no evaluations. Throws: 503 if the usage cannot be read.
 */
export const evaluationsBefore = async (call: Call, db: ReadDb, ramp: Counted): Promise<number> =>
  ramp.minEvaluations === null ? 0 : countEvaluations(call, db, { ...ramp, since: call.now() });

/**
 * Whether the flag of a ramp was evaluated often enough since the last step. Throws: 503 if the usage
 * cannot be read.
 */
export async function isEvaluated(call: Call, db: ReadDb, row: RampRow): Promise<boolean> {
  const { minEvaluations, evaluationsBefore: before, stepAt } = row;
  if (minEvaluations === null) return true;
  const all = await countEvaluations(call, db, { ...row, since: stepAt });
  return all - before >= minEvaluations;
}

/** Returns how often a flag was evaluated in an environment since the start of an hour. */
async function countEvaluations(
  { usage, now }: Call,
  db: ReadDb,
  { projectId, flagId, flagKey, environmentId, since }: Counted & { readonly since: number },
): Promise<number> {
  if (!usage) throw new Error("The call must read usage");
  const environmentIds = [environmentId];
  // Reads the usage object first, so that the query notices usage that the object writes meanwhile.
  const unwritten = await usage.unwritten(projectId, { environmentIds, flagKey });
  const counts = await flagCounts(
    db,
    { flag: { id: flagId }, environmentIds },
    { from: startOf("hour", since), to: now(), interval: "hour" },
    flagEntries(unwritten, []),
  );
  return counts.reduce((sum, { t, f }) => sum + t + f, 0);
}
