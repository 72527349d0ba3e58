import { queryOptions } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import { dataOf } from "../../shared/api/response.ts";
import type { ComparedFlag } from "./comparison-query.ts";
import { copyOperation } from "./copy-operation.ts";

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
      const operations = flags.map((compared) => ({
        ...copyOperation(compared, withState),
        ifMatch: compared.to.version,
      }));
      const body = { projectId, operations, dryRun: true };
      const { moves } = await dataOf(api.POST("/api/v1/operations", { body, signal }));
      // The result leaves out strategies that would not change.
      const none = flags.map(({ flag }) => [flag.id, 0] as const);
      return new Map([...none, ...moves.map(({ flagId, share }) => [flagId, share] as const)]);
    },
    retry: false,
  });
