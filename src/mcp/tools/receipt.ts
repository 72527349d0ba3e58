import { z } from "zod";
import { ApiError } from "../../core/errors/api-error.ts";
import { openOnce } from "../../workflows/change-requests/service.ts";
import type { RequestCall } from "../../access/call.ts";
import type { ListedEnvironment } from "../../model/environments/queries.ts";
import { execute, type Executed } from "../../changes/execute.ts";
import type { Operation } from "../../changes/plan/operation.ts";
import type { AgentSession } from "../session/session.ts";
import { changeRequestUrl, propagationUrl } from "../session/urls.ts";

/** What a tool has changed. */
export const receipt = z.object({
  status: z.enum(["applied", "unchanged", "preview", "change-requested"]),
  version: z.int().nullable(),
  revisions: z.array(z.object({ environment: z.string(), revision: z.int() })),
  propagationUrl: z.string().nullable(),
  changeRequestUrl: z.string().nullable(),
  moves: z.number().nullable(),
});
export type Receipt = z.infer<typeof receipt>;

/** The receipt of a call that has changed nothing. */
export const NOTHING = {
  revisions: [],
  propagationUrl: null,
  changeRequestUrl: null,
  moves: null,
} as const satisfies Partial<Receipt>;

/** A change by an agent, and what its receipt needs. */
export interface Write {
  readonly session: AgentSession;
  readonly call: RequestCall;
  readonly operation: Operation;
  /** The reason, which becomes the title of a change request. */
  readonly reason: string;
  readonly environments: readonly ListedEnvironment[];
  /** Returns the version of the changed row after the operation. */
  readonly versionOf: (executed: Executed) => number;
  /** Undefined: the operation accepts every version. */
  readonly current?: Current;
}

/** Returns the version of a row now, and what the row is. */
export type Current = () => Promise<{ readonly of: "strategy" | "flag"; readonly version: number }>;

/**
 * Executes an operation. If an environment requires an approval, opens a change request instead.
 * Throws: the errors of `execute` and `openOnce`; 412 with the present version; 429 after too many
 * changes with the token.
 */
export async function write(given: Write): Promise<Receipt> {
  const { session, call, operation } = given;
  call.limits.agentWrite(session.actor.token);
  try {
    return receiptOf(given, await execute(call, [operation]));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "APPROVAL_REQUIRED") return propose(given);
    const { current } = given;
    throw error.status === 412 && current ? await changedSince(operation, current) : error;
  }
}

function receiptOf({ session, environments, versionOf }: Write, executed: Executed): Receipt {
  const { revisions, recordId } = executed;
  const names = new Map(environments.map(({ id, name }) => [id, name]));
  const [first, second] = revisions;
  return {
    ...NOTHING,
    status: recordId === null ? "unchanged" : "applied",
    version: versionOf(executed),
    revisions: revisions.map(({ environmentId, revision }) => ({
      environment: names.get(environmentId) ?? String(environmentId),
      revision,
    })),
    propagationUrl: first && !second ? propagationUrl(session, first.environmentId) : null,
  };
}

/** Agents repeat calls, so a change that is proposed already opens no second change request. */
async function propose({ session, call, operation, reason }: Write): Promise<Receipt> {
  const proposed = { title: reason, operations: [operation] };
  const { request } = await openOnce(call, proposed);
  return {
    ...NOTHING,
    status: "change-requested",
    version: null,
    changeRequestUrl: changeRequestUrl(session, request),
  };
}

/** Returns the error of a change that was made from an older version. */
export async function changedSince({ ifMatch = [] }: Operation, current: Current) {
  const { of, version } = await current();
  const [given] = ifMatch;
  return new ApiError(
    "CONFLICT",
    `The ${of} has version ${version}, not ${given}. Call get_flag, check the change, then repeat.`,
    { status: 412 },
  );
}
