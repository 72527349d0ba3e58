import { booleanText } from "../../http/schema.ts";

/** The query parameter of a direct change that opens a change request instead. */
export const proposeQuery = {
  propose: booleanText.optional().openapi({
    description:
      "true: open a change request with the change, and do not make it. Needs `X-Change-Reason`, which becomes " +
      "its title",
  }),
};
