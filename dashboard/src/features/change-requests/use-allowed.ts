import type { ChangeRequest } from "../../shared/api/types.ts";
import { useCan, useCurrentSession } from "../../shared/session/current-session.tsx";

/** What the signed-in user may do with a request as it is now. */
export function useAllowed(request: ChangeRequest) {
  const { state, status, author, reviews, applyAt, mayReview, mayBypass } = request;
  const { id } = useCurrentSession().user;
  const mayWrite = useCan("change-request:write");
  const isAdministrator = useCan("protection:bypass");
  const isOpen = state === "open";
  const isAuthor = author.kind === "user" && author.id === id;
  const reviewable = mayReview && status !== "blocked";
  const given = reviews.find(({ userId, counts }) => userId === id && counts)?.verdict;
  return {
    // After the rebase, an earlier approval would not count.
    approve: reviewable && status !== "outdated" && given !== "approve",
    reject: reviewable && given !== "reject",
    apply: mayWrite && status === "approved",
    bypass: mayBypass && (status === "needs-approval" || status === "rejected"),
    rebase: mayWrite && status === "outdated",
    ask: isOpen && mayWrite,
    schedule: isOpen && mayWrite,
    unschedule: isOpen && mayWrite && applyAt !== null,
    close: isOpen && mayWrite && (isAuthor || isAdministrator),
  };
}
