import { useMutation, queryOptions } from "@tanstack/react-query";
import { reasonHeader } from "../../shared/api/change-reason.ts";
import { api } from "../../shared/api/client.ts";
import { send } from "../../shared/api/request.ts";
import { dataOf } from "../../shared/api/response.ts";
import type { RequestOperation, Rule } from "../../shared/api/types.ts";
import { useChangeOrPropose } from "../../shared/change-requests/use-change-or-propose.ts";
import type { ComparedFlag } from "./comparison-query.ts";

interface Copy {
  readonly flags: readonly ComparedFlag[];
  readonly withState: boolean;
  readonly reason: string;
}

interface Environments {
  readonly projectId: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Returns a function that copies the strategies of flags in one request, or proposes that (`useChangeOrPropose`), and
 * its state. The request has the versions that the user has compared, so it fails with 412 if one of them has changed.
 */
export function useCopyStrategies({ projectId, from, to }: Environments) {
  const changeOrPropose = useChangeOrPropose();
  const { mutateAsync, isPending, error } = useMutation({
    mutationFn: ({ flags, withState, reason }: Copy) =>
      send("post", "/api/v1/flags/bulk/strategies/copy", {
        header: reasonHeader(reason),
        body: {
          environmentId: to,
          fromEnvironmentId: from,
          withState,
          flags: flags.map((one) => ({
            id: one.flag.id,
            version: one.to.version,
            fromVersion: one.from.version,
          })),
        },
      }),
  });
  const copy = (change: Copy) =>
    changeOrPropose({
      projectId,
      operations: change.flags.map((compared) => copyOperation(compared, change.withState)),
      reason: change.reason,
      send: () => mutateAsync(change),
    });
  return { copy, isPending, error };
}

/**
 * Returns a function that undoes a copy, or proposes that (`useChangeOrPropose`). It fails with 412 if a strategy has
 * changed since the copy.
 */
export function useUndoCopy({ projectId, to: environmentId }: Omit<Environments, "from">) {
  const changeOrPropose = useChangeOrPropose();
  const { mutateAsync } = useMutation({
    mutationFn: (copied: readonly ComparedFlag[]) =>
      send("post", "/api/v1/flags/bulk/strategies/revert", {
        body: {
          environmentId,
          // The copy has increased each version by one.
          flags: copied.map(({ flag: { id }, to }) => ({ id, version: to.version + 1 })),
        },
      }),
  });
  return (copied: readonly ComparedFlag[]) =>
    changeOrPropose({
      projectId,
      operations: copied.map((compared) =>
        copyOperation(Object.assign({}, compared, { from: compared.to }), true),
      ),
      send: () => mutateAsync(copied),
    });
}

/** Whether a copy changes the rules of the flag, and not only whether it is on. */
export const hasOtherRules = ({ fields }: ComparedFlag): boolean =>
  fields.some((field) => field !== "enabled");

type SetStrategy = Extract<RequestOperation, { kind: "strategy.set" }>;

/** Returns the operation that sets the fields in which the strategies of a flag differ, as the copy does. */
function copyOperation({ flag, from, to, fields }: ComparedFlag, withState: boolean): SetStrategy {
  const copied = fields.filter((field) => withState || field !== "enabled");
  const input = Object.fromEntries(
    copied.map((field) => [field, field === "rules" ? from.rules.map(asNewRule) : from[field]]),
  );
  const target = { flagId: flag.id, environmentId: to.environmentId };
  return { kind: "strategy.set", target, input };
}

function asNewRule(rule: Rule) {
  const { id: _, percentage: __, ...rest } = rule;
  return rest;
}

interface CopiedFlags {
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
export const copyMovesQuery = ({ projectId, environmentId, flags, withState }: CopiedFlags) =>
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
