import type { Context } from "hono";
import type { Revision } from "../../db/commit.ts";

/**
 * Sets the response header `X-Revision` to the new revision of the changed environment. For several
 * environments, the value is a list (RFC 9651), such as `8;environment=3, 5;environment=4`.
 */
export function setRevisions(c: Context, revisions: readonly Revision[]): void {
  const [first, ...more] = revisions;
  if (!first) return;
  if (more.length === 0) c.header("X-Revision", String(first.revision));
  else
    c.header(
      "X-Revision",
      revisions.map((r) => `${r.revision};environment=${r.environmentId}`).join(", "),
    );
}
