import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dataOf, etag } from "../../shared/api/response.ts";
import { hasStatus } from "../../shared/api/api-error.ts";
import { api } from "../../shared/api/client.ts";
import type { Schemas, Strategy } from "../../shared/api/types.ts";
import { strategiesQuery } from "../../shared/data/strategies.ts";
import type { StrategySettings } from "../../shared/strategy/fields.tsx";

interface Save {
  /** The strategy as it was loaded. The API returns 412 if its version has changed since. */
  strategy: Pick<Strategy, "flagId" | "environmentId" | "version">;
  /** The fields to change. All other fields keep their values. */
  change: Partial<StrategySettings>;
  /** The reason for the change, for the audit record. Empty if the user gave none. */
  reason: string;
}

/**
 * A mutation that saves a strategy with `If-Match`. If another user has changed the strategy (412),
 * the mutation loads the strategies again before it reports the error.
 */
export function useSaveStrategy() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ strategy: { flagId, environmentId, version }, change, reason }: Save) =>
      dataOf(
        api.PUT("/api/v1/flags/{flagId}/strategies", {
          params: {
            path: { flagId },
            header: {
              "If-Match": etag(version),
              ...(reason.trim() !== "" && { "X-Change-Reason": headerText(reason.trim()) }),
            },
          },
          // The cast is needed because a later release may have stored values that this type does
          // not know. The API checks them.
          body: { environmentId, ...change } as Schemas["SetStrategy"],
        }),
      ),
    onError: async (error, { strategy: { flagId } }) => {
      if (isVersionConflict(error))
        await client.invalidateQueries({ queryKey: strategiesQuery(flagId).queryKey });
    },
  });
}

/** Whether saving failed because another user had changed the strategy in the meantime. */
export const isVersionConflict = (error: unknown): boolean => hasStatus(error, 412);

/**
 * Encodes a text for a request header: each UTF-8 byte becomes one character, because `fetch`
 * rejects characters beyond Latin-1.
 */
const headerText = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
