import { useMutation } from "@tanstack/react-query";
import { api } from "../../../shared/api/client.ts";
import { reasonHeader } from "../../../shared/api/change-reason.ts";
import { dataOf } from "../../../shared/api/response.ts";
import type { Environment, Schemas } from "../../../shared/api/types.ts";

interface Lifecycle {
  readonly kind: "archive" | "unarchive";
}

interface Switching {
  readonly kind: "turnOn" | "turnOff";
  readonly environment: Pick<Environment, "id" | "name" | "production">;
}

interface Tagging {
  readonly kind: "tag" | "untag";
  readonly tag: string;
}

export type BulkAction = Lifecycle | Switching | Tagging;

/**
 * An action that the user has chosen but not confirmed. For the actions with tags, the confirmation
 * asks for the tag.
 */
export type PlannedAction = Lifecycle | Switching | { kind: "tag" } | { kind: "untag" };

export const withTag = (action: PlannedAction, tag: string): BulkAction =>
  action.kind === "tag" || action.kind === "untag" ? { kind: action.kind, tag } : action;

const OPPOSITE = {
  archive: "unarchive",
  unarchive: "archive",
  tag: "untag",
  untag: "tag",
  turnOn: "turnOff",
  turnOff: "turnOn",
} as const;

/** Returns the action that undoes an action for the flags that it has changed. */
export const oppositeOf = (action: BulkAction): BulkAction =>
  ({ ...action, kind: OPPOSITE[action.kind] }) as BulkAction;

interface BulkChange {
  readonly projectId: number;
  readonly action: BulkAction;
  readonly flagIds: readonly number[];
  /** The reason that the history of the flags will show. Empty: none. */
  readonly reason?: string | undefined;
}

/**
 * Returns a mutation that sends one request, which changes all flags or none. The request has no
 * versions, because an action sets one field and overwrites no other change.
 */
export const useBulkChange = () => useMutation({ mutationFn: send });

function send({ projectId, action, flagIds, reason }: BulkChange): Promise<Schemas["BulkResult"]> {
  const flags = flagIds.map((id) => ({ id }));
  const header = reasonHeader(reason ?? "");
  if ("environment" in action) {
    const enabled = action.kind === "turnOn";
    const body = { environmentId: action.environment.id, enabled, flags };
    return dataOf(api.POST("/api/v1/flags/bulk/strategies", { params: { header }, body }));
  }
  const what = "tag" in action ? { action: action.kind, tag: action.tag } : { action: action.kind };
  const body = { projectId, flags, ...what };
  return dataOf(api.POST("/api/v1/flags/bulk", { params: { header }, body }));
}
