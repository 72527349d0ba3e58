import { useMutation } from "@tanstack/react-query";
import { reasonHeader } from "../../shared/api/change-reason.ts";
import { api } from "../../shared/api/client.ts";
import { dataOf } from "../../shared/api/response.ts";
import type { ComparedFlag } from "./comparison-query.ts";

interface Copy {
  readonly flags: readonly ComparedFlag[];
  readonly withState: boolean;
  readonly reason: string;
}

/**
 * Returns a mutation that copies the strategies of flags in one request. The request has the
 * versions that the user has compared, so it fails with 412 if one of them has changed.
 */
export const useCopyStrategies = (environmentId: number, fromEnvironmentId: number) =>
  useMutation({
    mutationFn: ({ flags, withState, reason }: Copy) =>
      dataOf(
        api.POST("/api/v1/flags/bulk/strategies/copy", {
          params: { header: reasonHeader(reason) },
          body: {
            environmentId,
            fromEnvironmentId,
            withState,
            flags: flags.map(({ flag: { id }, from, to }) => ({
              id,
              version: to.version,
              fromVersion: from.version,
            })),
          },
        }),
      ),
  });

/** Returns a mutation that undoes a copy. It fails with 412 if a strategy has changed since then. */
export const useUndoCopy = (environmentId: number) =>
  useMutation({
    mutationFn: (copied: readonly ComparedFlag[]) =>
      dataOf(
        api.POST("/api/v1/flags/bulk/strategies/revert", {
          body: {
            environmentId,
            // The copy has increased each version by one.
            flags: copied.map(({ flag: { id }, to }) => ({ id, version: to.version + 1 })),
          },
        }),
      ),
  });

/** Whether a copy changes the rules of the flag, and not only whether it is on. */
export const hasOtherRules = ({ fields }: ComparedFlag): boolean =>
  fields.some((field) => field !== "enabled");
