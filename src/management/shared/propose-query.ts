import { booleanText, idsText } from "../../http/schema.ts";
import { MAX_REVIEWERS } from "../../workflows/change-requests/reviewer-service.ts";

export const reviewersText = idsText(MAX_REVIEWERS);

/** The query parameter of a direct change that opens a change request instead. */
export const proposeQuery = {
  propose: booleanText.optional().openapi({
    description:
      "true: open a change request with the change, and do not make it. Needs `X-Change-Reason`, which becomes " +
      "its title",
  }),
  reviewers: reviewersText.optional().openapi({
    type: "string",
    description:
      "With `propose=true`: the ids of the users who are asked to review the change request, such as `3,4`",
  }),
};
