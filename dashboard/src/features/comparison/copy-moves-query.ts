import { queryOptions } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import { dataOf } from "../../shared/api/response.ts";
import type { Rule, Schemas } from "../../shared/api/types.ts";
import type { ComparedFlag } from "./comparison-query.ts";

interface Copy {
  readonly projectId: number;
  readonly environmentId: number;
  /** At most `MAX_BULK_FLAGS`. */
  readonly flags: readonly ComparedFlag[];
  readonly withState: boolean;
}

/**
 * The React Query options that ask the API which share of users, 0 to 1, would get another value of
 * each flag after a copy, by the id of the flag. One request, which saves nothing (`dryRun`). It is
 * not retried, because the shares are only additional information.
 */
export const copyMovesQuery = ({ projectId, environmentId, flags, withState }: Copy) =>
  queryOptions({
    queryKey: [
      "comparison",
      "moves",
      environmentId,
      withState,
      flags.map(({ flag: { id }, from, to }) => [id, from.version, to.version]),
    ],
    queryFn: async ({ signal }): Promise<ReadonlyMap<number, number>> => {
      const operations = flags.map((compared) => toOperation(compared, withState));
      const body = { projectId, operations, dryRun: true };
      const { moves } = await dataOf(api.POST("/api/v1/operations", { body, signal }));
      // The result leaves out strategies that would not change.
      const none = flags.map(({ flag }) => [flag.id, 0] as const);
      return new Map([...none, ...moves.map(({ flagId, share }) => [flagId, share] as const)]);
    },
    retry: false,
  });

/** Sets the fields in which the strategies differ, as the copy does. */
function toOperation({ flag, from, to, fields }: ComparedFlag, withState: boolean) {
  const copied = fields.filter((field) => withState || field !== "enabled");
  const input = Object.fromEntries(
    copied.map((field) => [field, field === "rules" ? from.rules.map(asNewRule) : from[field]]),
  );
  return {
    kind: "strategy.set",
    target: { flagId: flag.id, environmentId: to.environmentId },
    ifMatch: to.version,
    input,
  } as Schemas["Operation"];
}

function asNewRule(rule: Rule) {
  const { id: _, percentage: __, ...rest } = rule;
  return rest;
}
