import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { hasCode } from "../api/api-error.ts";
import { reasonHeader } from "../api/change-reason.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/response.ts";
import type { ChangeRequest, Schemas } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { useQuestion } from "../ui/use-confirm.tsx";
import { useNotify } from "../ui/use-notify.tsx";

interface Proposal {
  /** The name of the protected environment. */
  environment: string;
  /** The reason that the user has given for the direct change. It may be empty. */
  reason: string;
  flagId: number;
  /** The body of the direct change. */
  body: Schemas["SetStrategy"];
}

/** Whether the error says that a direct change needs an approval. */
export const needsApproval = (error: unknown): boolean => hasCode(error, "APPROVAL_REQUIRED");

/**
 * Returns a function that offers to propose a change of a strategy, for which `needsApproval` holds. It resolves to
 * whether the change is proposed. It shows an error as a notification.
 */
export function usePropose(): (proposal: Proposal) => Promise<boolean> {
  const { t } = useTranslation();
  const ask = useQuestion();
  const notify = useNotify();
  const navigate = useNavigate();
  const client = useQueryClient();
  return async ({ environment, reason, flagId, body }) => {
    const confirmed = await ask({
      title: t("flags.proposeTitle", { environment }),
      children: t("flags.proposeText", { environment }),
      confirm: t("flags.propose"),
      asksReason: "required",
      reason,
    });
    if (!confirmed) return false;
    try {
      const { id, projectId } = await open(flagId, body, confirmed.reason);
      void client.invalidateQueries();
      notify.showable(t("flags.proposed"), t("flags.showProposal"), () => {
        void navigate({
          to: "/projects/$projectId/change-requests/$requestId",
          params: { projectId, requestId: id },
        });
      });
      return true;
    } catch (error) {
      notify.failed(error);
      return false;
    }
  };
}

/** Opens a change request, whose title is the reason. */
const open = (flagId: number, body: Schemas["SetStrategy"], reason: string) =>
  dataOf(
    api.PUT("/api/v1/flags/{flagId}/strategies", {
      params: { path: { flagId }, query: { propose: true }, header: reasonHeader(reason) },
      body,
    }),
    // With `propose=true`, the response of a success is 202.
  ) as Promise<unknown> as Promise<ChangeRequest>;
