import { useMutation } from "@tanstack/react-query";
import { reasonHeader } from "../../shared/api/change-reason.ts";
import { send } from "../../shared/api/request.ts";
import { useChangeOrPropose } from "../../shared/change-requests/use-change-or-propose.ts";
import type { ComparedFlag } from "./comparison-query.ts";
import { copyOperation } from "./copy-operation.ts";

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
