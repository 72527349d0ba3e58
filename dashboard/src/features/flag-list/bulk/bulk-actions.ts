import { useMutation } from "@tanstack/react-query";
import { send } from "../../../shared/api/request.ts";
import { reasonHeader } from "../../../shared/api/change-reason.ts";
import { useChangeOrPropose } from "../../../shared/change-requests/use-change-or-propose.ts";
import type { Environment, RequestOperation, Schemas } from "../../../shared/api/types.ts";

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
 * Returns a function that sends one request, which changes all flags or none, or proposes that (`useChangeOrPropose`).
 * The request has no versions, because an action sets one field and overwrites no other change.
 */
export function useBulkChange() {
  const changeOrPropose = useChangeOrPropose();
  const { mutateAsync } = useMutation({ mutationFn: sendChange });
  return (change: BulkChange) =>
    changeOrPropose({
      projectId: change.projectId,
      operations: change.flagIds.flatMap((flagId) => operationOf(change.action, flagId) ?? []),
      reason: change.reason,
      send: () => mutateAsync(change),
    });
}

/** Returns the operation for one flag. Tags need no approval, so they have none. */
function operationOf(action: BulkAction, flagId: number): RequestOperation | undefined {
  if ("tag" in action) return undefined;
  if (!("environment" in action)) return { kind: `flag.${action.kind}`, target: { flagId } };
  const target = { flagId, environmentId: action.environment.id };
  return { kind: "strategy.set", target, input: { enabled: action.kind === "turnOn" } };
}

function sendChange({
  projectId,
  action,
  flagIds,
  reason,
}: BulkChange): Promise<Schemas["BulkResult"]> {
  const flags = flagIds.map((id) => ({ id }));
  const header = reasonHeader(reason ?? "");
  if ("environment" in action) {
    const enabled = action.kind === "turnOn";
    const body = { environmentId: action.environment.id, enabled, flags };
    return send("post", "/api/v1/flags/bulk/strategies", { header, body });
  }
  const what = "tag" in action ? { action: action.kind, tag: action.tag } : { action: action.kind };
  const body = { projectId, flags, ...what };
  return send("post", "/api/v1/flags/bulk", { header, body });
}
