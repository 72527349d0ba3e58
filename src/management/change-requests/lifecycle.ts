import { ApiError } from "../../core/errors/api-error.ts";
import { DAY_MS } from "../../core/lib/time.ts";
import { authorized, type Call } from "../context.ts";
import { commitIfOpen } from "./commit-if-open.ts";
import * as queries from "./queries.ts";
import { closed, entryOf, eventOf } from "./records.ts";

/** Closes an open request, as `closeRequest` does. Returns the context with which to read it. */
export const close = (call: Call, id: number) =>
  commitIfOpen(call, "change-request:write", { id, ifMatch: undefined }, (row) => {
    const { actor, now } = call;
    const isAuthor =
      actor.kind === row.authorKind && actor.kind !== "system" && actor.id === row.authorId;
    const isInCharge = actor.kind === "system" || (actor.kind === "user" && actor.role === "ADMIN");
    if (!isAuthor && !isInCharge)
      throw new ApiError(
        "FORBIDDEN",
        "Only the author and administrators can close a change request",
      );
    return {
      statements: [queries.updateRequest(row.id, closed("closed", actor, now()))],
      audit: [entryOf("closed", row, { before: { state: "open" }, after: { state: "closed" } })],
      events: [eventOf("closed", row)],
    };
  });

/** The most requests that one run of the job closes. Each takes about ten statements. */
const MAX_IDLE = 20;

/** After how long without a change an open request is closed, milliseconds. */
const IDLE_MS = 30 * DAY_MS;

/** Closes requests that nobody has changed for 30 days. The actor is the service. */
export async function closeIdleRequests(call: Call): Promise<void> {
  const { db } = authorized(call, "change-request:write", { projectId: null });
  for (const { id } of await queries.findIdle(db, call.now() - IDLE_MS, MAX_IDLE))
    await close(call, id);
}
