import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dataOf, etag } from "../../shared/api/response.ts";
import { hasStatus } from "../../shared/api/api-error.ts";
import { api } from "../../shared/api/client.ts";
import type { Schemas, Strategy } from "../../shared/api/types.ts";
import { strategiesQuery } from "../../shared/data/strategies.ts";
import type { StrategySettings } from "../../shared/strategy/fields.tsx";

interface Save {
  /** The strategy as it was read. The API returns 412 if its version has changed since. */
  strategy: Pick<Strategy, "flagId" | "environmentId" | "version">;
  /** Fields that are left out keep their values. */
  change: Partial<StrategySettings>;
  /** For the audit record; empty for none. */
  reason: string;
}

/**
 * Saves under an optimistic lock. After a version conflict (412), the strategies are loaded again
 * before the mutation reports its error.
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
          // A later release may have stored values that this type does not know; the API checks them.
          body: { environmentId, ...change } as Schemas["SetStrategy"],
        }),
      ),
    onError: async (error, { strategy: { flagId } }) => {
      if (isVersionConflict(error))
        await client.invalidateQueries({ queryKey: strategiesQuery(flagId).queryKey });
    },
  });
}

/** Whether another user changed the strategy after it was read. */
export const isVersionConflict = (error: unknown): boolean => hasStatus(error, 412);

/** The UTF-8 bytes of the text, each as one character: `fetch` rejects characters beyond Latin-1. */
const headerText = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
