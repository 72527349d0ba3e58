import { useQueryClient } from "@tanstack/react-query";
import { hasStatus } from "../api/api-error.ts";
import { useWrite } from "../api/request.ts";
import type { Flag, Schemas } from "../api/types.ts";
import { useChangeOrPropose } from "../change-requests/use-change-or-propose.ts";
import { flagQuery } from "../data/flag.ts";

interface Update {
  /** The version on which the change is based. The API returns 412 if the flag has a newer one. */
  version: number;
  body: Schemas["UpdateFlag"];
}

/**
 * Returns a function that updates the flag with `If-Match`, or proposes the update (`useChangeOrPropose`). After a
 * conflict (412), it reloads the flag before it reports that.
 */
export function useUpdateFlag({ id, projectId }: Pick<Flag, "id" | "projectId">) {
  const client = useQueryClient();
  const changeOrPropose = useChangeOrPropose();
  const { mutateAsync } = useWrite("put", "/api/v1/flags/{id}", {
    onError: async (error) => {
      if (hasStatus(error, 412))
        await client.invalidateQueries({ queryKey: flagQuery(id).queryKey });
    },
  });
  return (update: Update) =>
    changeOrPropose({
      projectId,
      operations: [{ kind: "flag.update", target: { flagId: id }, input: update.body }],
      send: () => mutateAsync({ path: { id }, ifMatch: update.version, body: update.body }),
    });
}
