import { notFound } from "../../core/errors/api-error.ts";
import { copiedStrategy } from "../../core/strategies/copy.ts";
import type { WriteContext } from "../context.ts";
import { findEnvironment } from "../environments/queries.ts";
import type { BulkResult, BulkTarget } from "../flags/bulk.ts";
import { repeatStale, staleRow } from "../optimistic-update.ts";
import { assertInEnvironment } from "../scope.ts";
import {
  assertStrategyVersions,
  bulkStrategiesOf,
  replaceStrategies,
  strategiesIn,
} from "./bulk.ts";
import { strategiesHaveVersions } from "./queries.ts";
import { newRuleId } from "./service.ts";

interface CopiedFlag extends BulkTarget {
  /** The version that the strategy in the source environment must have. Undefined: any. */
  readonly fromVersion?: number | undefined;
}

interface CopyStrategies {
  readonly environmentId: number;
  readonly fromEnvironmentId: number;
  /** Whether to copy the state (on or off), too. */
  readonly withState: boolean;
  readonly flags: readonly CopiedFlag[];
}

/**
 * Copies the strategies of flags from a source environment to a target environment of the same
 * project, in one transaction. The number of SQL statements does not depend on the number of flags.
 * Throws: 403 for an API key whose environment is not the target, 404 for an unknown environment or
 * a flag that its project does not have, 409 for an archived flag that would be switched on, 402 if
 * the rules of the environment would become too large, 412 for a strategy with another version than
 * the request demands. The error names the flags.
 */
export async function copyStrategies(
  ctx: WriteContext,
  { environmentId, fromEnvironmentId, withState, flags: targets }: CopyStrategies,
): Promise<BulkResult> {
  assertInEnvironment(ctx.actor, environmentId);
  return repeatStale(async () => {
    const bulk = await bulkStrategiesOf(ctx, environmentId, targets);
    const source = await findEnvironment(ctx.db, fromEnvironmentId);
    if (source?.projectId !== bulk.projectId)
      throw notFound("The source environment does not exist in the project");
    const sources = await strategiesIn(ctx, bulk.flags, fromEnvironmentId);
    assertStrategyVersions(
      targets.map(({ id, fromVersion }) => ({ id, version: fromVersion })),
      sources,
    );
    return replaceStrategies(ctx, bulk, {
      contentOf: ({ content, flag: { variants } }, n) =>
        copiedStrategy(sources[n]?.content ?? content, content, { variants, newRuleId, withState }),
      guards: () => [
        { holds: strategiesHaveVersions(fromEnvironmentId, sources), error: staleRow },
      ],
    });
  });
}
