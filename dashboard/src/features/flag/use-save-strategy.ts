import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dataOf, etag } from "../../shared/api/response.ts";
import { hasStatus } from "../../shared/api/api-error.ts";
import { api } from "../../shared/api/client.ts";
import type { Schemas, Strategy } from "../../shared/api/types.ts";
import { strategiesQuery } from "../../shared/data/strategies.ts";
import type { StrategySettings } from "../../shared/strategy/fields.tsx";

interface Save {
  /** As it was read: a newer one is not written over (412). */
  strategy: Pick<Strategy, "flagId" | "environmentId" | "version">;
  /** What is left out stays as it is. */
  change: Partial<StrategySettings>;
  /** For the history; empty for none. */
  reason: string;
}

/** When somebody was faster (412), what they have saved is there once the call has failed. */
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
          // What a later release may have stored is the server's to refuse.
          body: { environmentId, ...change } as Schemas["SetStrategy"],
        }),
      ),
    onError: async (error, { strategy: { flagId } }) => {
      if (isOvertaken(error))
        await client.invalidateQueries({ queryKey: strategiesQuery(flagId).queryKey });
    },
  });
}

export const isOvertaken = (error: unknown): boolean => hasStatus(error, 412);

/** As UTF-8, of which a header takes the bytes; `fetch` refuses characters beyond Latin-1. */
const headerText = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
