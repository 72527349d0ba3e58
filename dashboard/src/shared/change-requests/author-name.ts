import type { ChangeRequest } from "../api/types.ts";

/** Returns the name of who has opened a change request, as other pages show it. */
export const authorName = ({ author }: Pick<ChangeRequest, "author">): string =>
  author.displayName ?? author.name ?? "";
