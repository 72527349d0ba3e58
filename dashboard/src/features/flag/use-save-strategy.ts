import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dataOf, etag } from "../../shared/api/response.ts";
import { hasStatus } from "../../shared/api/api-error.ts";
import { api } from "../../shared/api/client.ts";
import type { Schemas, Strategy } from "../../shared/api/types.ts";
import { strategiesQuery } from "../../shared/data/strategies.ts";
import type { StrategySettings } from "../../shared/strategy/fields.tsx";

interface Save {
  /** The strategy as it was loaded. The API returns 412 if the strategy has another version now. */
  strategy: Pick<Strategy, "flagId" | "environmentId" | "version">;
  /** The strategy fields to change. All other strategy fields keep their values. */
  change: Partial<StrategySettings>;
  /**
   * The reason for the change, which the audit record will contain. Empty if the user gave none.
   */
  reason: string;
}

/**
 * A hook that returns a mutation, which saves a strategy with `If-Match`. If another user has
 * changed the strategy (412), the mutation reloads the strategies before it reports the error.
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
          // The cast is needed because a later release may have stored values of strategy fields
          // that this type does not contain. The API validates the values.
          body: { environmentId, ...change } as Schemas["SetStrategy"],
        }),
      ),
    onError: async (error, { strategy: { flagId } }) => {
      if (isVersionConflict(error))
        await client.invalidateQueries({ queryKey: strategiesQuery(flagId).queryKey });
    },
  });
}

/** Whether the error says that another user has changed the strategy since it was loaded (412). */
export const isVersionConflict = (error: unknown): boolean => hasStatus(error, 412);

/**
 * Encodes a text for a request header: each UTF-8 byte becomes one character, because `fetch`
 * rejects header characters beyond Latin-1.
 */
const headerText = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
