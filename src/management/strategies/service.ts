import { ApiError, notFound } from "../../core/errors/api-error.ts";
import type { Actor } from "@feature-flags/permissions/permissions";
import type { Revision } from "../../db/commit.ts";
import { ruleInEnvironment } from "../../db/rule-changes.ts";
import type { ManagementDeps } from "../deps.ts";
import { findFlag } from "../flags/queries.ts";
import { optimisticUpdate, staleRow } from "../optimistic-update.ts";
import { assertInScope } from "../scope.ts";
import * as queries from "./queries.ts";
import type { StrategyContent, StrategyRow } from "./queries.ts";

export type StrategyChange = {
  readonly [K in keyof StrategyContent]?: StrategyContent[K] | undefined;
};

const content = (row: StrategyRow): StrategyContent => ({
  enabled: row.enabled,
  percentage: row.percentage,
  constraints: row.constraints,
  segmentIds: row.segmentIds,
  stickiness: row.stickiness,
});

/** The strategies of all environments. Errors: 404 for the flag. */
export async function listStrategies(
  deps: ManagementDeps,
  actor: Actor,
  flagId: number,
): Promise<StrategyRow[]> {
  const flag = await findFlag(deps.db, flagId);
  if (!flag) throw notFound("The flag");
  assertInScope(actor, flag.projectId);
  return queries.strategiesOf(deps.db, [flagId], undefined);
}

/** Errors: 404 for the flag, or for an environment that is not in its project. */
export async function getStrategy(
  deps: ManagementDeps,
  actor: Actor,
  flagId: number,
  environmentId: number,
) {
  const [row] = await queries.strategiesOf(deps.db, [flagId], environmentId);
  if (!row) {
    const flag = await findFlag(deps.db, flagId);
    if (flag) assertInScope(actor, flag.projectId);
    throw notFound(flag ? "The environment" : "The flag");
  }
  assertInScope(actor, row.flag.projectId);
  return row;
}

/**
 * What is left out of the change stays as it was; a key may write to its own environment alone.
 * Errors: 403, 404 for the flag, the environment or a segment, 412.
 */
export async function setStrategy(
  deps: ManagementDeps,
  actor: Actor,
  flagId: number,
  environmentId: number,
  change: StrategyChange,
  ifMatch: readonly number[] | undefined,
): Promise<{ readonly row: StrategyRow; readonly revisions: readonly Revision[] }> {
  if (actor.kind === "key" && actor.environmentId !== environmentId)
    throw new ApiError("FORBIDDEN", "The key belongs to another environment");
  const read = () => getStrategy(deps, actor, flagId, environmentId);
  const revisions = await optimisticUpdate({
    ifMatch,
    read,
    write: (row) => {
      const before = content(row);
      const after = merge(before, change);
      const { flag } = row;
      return deps.commit(actor, {
        guards: [
          { holds: queries.strategyHasVersion(row), error: staleRow },
          {
            holds: queries.segmentsInProject(flag.projectId, after.segmentIds),
            error: notFound("A segment of the strategy"),
          },
        ],
        statements: queries.setStrategy(row, after, deps.now()),
        audit: [
          {
            action: "strategy.updated",
            entityType: "flag",
            entityId: flagId,
            projectId: flag.projectId,
            environmentId,
            before,
            after,
          },
        ],
        events: [
          {
            type: "flag.updated",
            projectId: flag.projectId,
            entityId: flagId,
            data: {
              flag: { key: flag.key, name: flag.name },
              environment: { id: environmentId, name: row.environmentName },
              strategy: after,
            },
          },
        ],
        ruleChanges: ruleInEnvironment(environmentId, flag),
        // The flag or the environment went away after it was read: start again, and say which.
        onForeignKey: staleRow,
      });
    },
  });
  return { row: await read(), revisions };
}

function merge(before: StrategyContent, change: StrategyChange): StrategyContent {
  return {
    enabled: change.enabled ?? before.enabled,
    percentage: change.percentage ?? before.percentage,
    constraints: change.constraints ?? before.constraints,
    segmentIds: change.segmentIds ?? before.segmentIds,
    stickiness: change.stickiness === undefined ? before.stickiness : change.stickiness,
  };
}
