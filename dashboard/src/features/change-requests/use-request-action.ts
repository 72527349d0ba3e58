import { useMutation, useQueryClient } from "@tanstack/react-query";
import { reasonHeader } from "../../shared/api/change-reason.ts";
import { api } from "../../shared/api/client.ts";
import { dataOf, etag } from "../../shared/api/response.ts";
import { rewordError } from "../../shared/api/reword-error.ts";
import type { Schemas } from "../../shared/api/types.ts";
import { changeRequestQuery } from "../../shared/change-requests/queries.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import type { Choice } from "./RebaseForm.tsx";

export type Verdict = Schemas["ReviewChangeRequest"]["verdict"];

type ChangedSchedule = Pick<Schemas["UpdateChangeRequest"], "applyAt" | "timeZone">;

/** What a user does with a request. `done`: what the page then says. */
export type Action = { readonly done: string } & (
  | { readonly kind: "review"; readonly verdict: Verdict; readonly comment: string }
  | { readonly kind: "apply"; readonly bypassReason: string | undefined }
  | { readonly kind: "rebase"; readonly choices: readonly Choice[] }
  | { readonly kind: "schedule"; readonly schedule: ChangedSchedule }
  | { readonly kind: "ask"; readonly add?: number[]; readonly remove?: number[] }
  | { readonly kind: "close" }
);

/**
 * A hook that changes a change request. After an error, the request is loaded again, because others may
 * have changed it.
 */
export function useRequestAction(id: number) {
  const { t } = useTranslation();
  const notify = useNotify();
  const client = useQueryClient();
  const { queryKey } = changeRequestQuery(id);

  /** `hash`: that of the request as the user has seen it. */
  const send = ({ hash, action }: { hash: string; action: Action }) => {
    const params = { path: { id }, header: { "If-Match": etag(hash) } };
    switch (action.kind) {
      case "review": {
        const { verdict, comment } = action;
        const body = { verdict, comment: comment.trim() === "" ? null : comment };
        return rewordError(
          dataOf(api.POST("/api/v1/change-requests/{id}/reviews", { params, body })),
          {
            codes: { FORBIDDEN: t("changeRequests.ownRequest") },
          },
        );
      }
      case "apply": {
        const header = {
          ...params.header,
          ...(action.bypassReason !== undefined && {
            "X-Approval-Bypass": "true" as const,
            ...reasonHeader(action.bypassReason),
          }),
        };
        return dataOf(
          api.POST("/api/v1/change-requests/{id}/apply", { params: { ...params, header } }),
        );
      }
      case "schedule":
        return dataOf(api.PUT("/api/v1/change-requests/{id}", { params, body: action.schedule }));
      case "rebase":
        return dataOf(
          api.POST("/api/v1/change-requests/{id}/rebase", {
            params,
            body: { choices: [...action.choices] },
          }),
        );
      case "ask": {
        const { add = [], remove = [] } = action;
        return dataOf(
          api.POST("/api/v1/change-requests/{id}/reviewers", {
            params: { path: { id } },
            body: { add, remove },
          }),
        );
      }
      default:
        return dataOf(api.POST("/api/v1/change-requests/{id}/close", { params: { path: { id } } }));
    }
  };

  return useMutation({
    mutationFn: send,
    onSuccess: (request, { action }) => {
      client.setQueryData(queryKey, request);
      notify.done(action.done);
    },
    onError: () => client.invalidateQueries({ queryKey }),
  });
}

export type RequestAction = ReturnType<typeof useRequestAction>;
