import { useMutation, useQueryClient } from "@tanstack/react-query";
import { hasStatus } from "../api/api-error.ts";
import { api } from "../api/client.ts";
import { dataOf, etag } from "../api/response.ts";
import type { Flag, Schemas } from "../api/types.ts";
import { flagQuery } from "../data/flag.ts";

interface Update {
  /** The version on which the change is based. The API returns 412 if the flag has a newer one. */
  version: number;
  body: Schemas["UpdateFlag"];
}

/** Updates with `If-Match`. After a conflict (412), reloads the flag before it reports that. */
export function useUpdateFlag({ id }: Pick<Flag, "id">) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ version, body }: Update) =>
      dataOf(
        api.PUT("/api/v1/flags/{id}", {
          params: { path: { id }, header: { "If-Match": etag(version) } },
          body,
        }),
      ),
    onError: async (error) => {
      if (hasStatus(error, 412))
        await client.invalidateQueries({ queryKey: flagQuery(id).queryKey });
    },
  });
}
