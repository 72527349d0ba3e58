import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { createElement, Fragment } from "react";
import { ApiError, hasCode } from "../api/api-error.ts";
import { send as sendRequest } from "../api/request.ts";
import type { ChangeRequest, RequestOperation } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { useQuestion } from "../ui/use-confirm.tsx";
import { useNotify } from "../ui/use-notify.tsx";
import { ReviewersInput } from "./ReviewersInput.tsx";

/** What the user has entered about a change request. */
export interface Proposal {
  readonly title: string;
  /** The ids of the users who are asked to review it. */
  readonly reviewers: readonly number[];
}

interface Change<T> {
  projectId: number;
  /** The change as operations of a change request, or a function that sends it as a change request. */
  operations: readonly RequestOperation[] | ((proposal: Proposal) => Promise<ChangeRequest>);
  /** The reason that the user has given for the direct change. By default, it is empty. */
  reason?: string | undefined;
  /** Makes the change directly. */
  send: () => Promise<T>;
}

/** Whether the error says that a direct change needs an approval. */
export const needsApproval = (error: unknown): boolean => hasCode(error, "APPROVAL_REQUIRED");

/**
 * Returns a function that makes a change directly. If the change needs an approval, it offers to propose the change
 * instead. It resolves to undefined if the change is proposed. Otherwise it throws the error of the direct change,
 * also if the user does not propose it.
 */
export function useChangeOrPropose(): <T>(change: Change<T>) => Promise<T | undefined> {
  const { t } = useTranslation();
  const ask = useQuestion();
  const showRequest = useShowRequest();

  return async ({ projectId, operations, reason = "", send }) => {
    try {
      return await send();
    } catch (error) {
      if (!needsApproval(error)) throw error;
      const environments = protectedBy(error);
      const environment = environments.map(({ name }) => name).join(", ");
      let reviewers: readonly number[] = [];
      const input = createElement(ReviewersInput, {
        of: { projectId, environmentIds: environments.map(({ id }) => id) },
        onChange: (chosen) => {
          reviewers = chosen;
        },
      });
      const text = t("flags.proposeText", { environment });
      const confirmed = await ask({
        title: t("flags.proposeTitle", { environment }),
        children: createElement(Fragment, null, text, input),
        confirm: t("flags.propose"),
        asksReason: "required",
        reason,
      });
      if (!confirmed) throw error;
      const title = confirmed.reason;
      const request =
        typeof operations === "function"
          ? await operations({ title, reviewers })
          : await sendRequest("post", "/api/v1/change-requests", {
              body: { projectId, title, operations: [...operations], reviewers: [...reviewers] },
            });
      showRequest(t("flags.proposed"), request);
      return undefined;
    }
  };
}

/** Returns a function that notifies the user about a change request that they have opened or edited, with a link. */
export function useShowRequest() {
  const { t } = useTranslation();
  const notify = useNotify();
  const navigate = useNavigate();
  const client = useQueryClient();
  return (message: string, { id, projectId }: Pick<ChangeRequest, "id" | "projectId">) => {
    void client.invalidateQueries();
    notify.showable(message, t("flags.showProposal"), () => {
      void navigate({
        to: "/projects/$projectId/change-requests/$requestId",
        params: { projectId, requestId: id },
      });
    });
  };
}

/** Returns the environments that require the approval. */
const protectedBy = (error: unknown) =>
  (error instanceof ApiError && error.approval?.environments) || [];
