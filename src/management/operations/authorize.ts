import type { Permission } from "@feature-flags/permissions/permissions";
import { authorized, type Call, type WriteContext } from "../context.ts";
import { assertInScope } from "../scope.ts";
import type { Operation } from "./operation.ts";
import type { State } from "./state.ts";

/** The permission that each kind of operation needs, by the resource. */
const PERMISSION_OF = {
  flag: "flag:write",
  strategy: "strategy:write",
  segment: "segment:write",
  tag: "tag:write",
  context: "context:write",
} as const satisfies Record<string, Permission>;

const permissionOf = ({ kind }: Operation) => {
  const [resource = ""] = kind.split(".");
  return PERMISSION_OF[resource as keyof typeof PERMISSION_OF];
};

/**
 * Checks that the actor of a call may do what the operations say. Returns the context with which
 * `execute` reads and commits. The projects of the rows are known only later (see `assertInProject`).
 * Throws: 403.
 */
export function authorize(call: Call, operations: readonly Operation[]): WriteContext {
  const scopes = new Map(
    operations.map((operation) => {
      const { target } = operation;
      const projectId = "projectId" in target ? target.projectId : null;
      const environmentId = "environmentId" in target ? target.environmentId : undefined;
      const permission = permissionOf(operation);
      return [
        `${permission} ${projectId} ${environmentId}`,
        { permission, projectId, environmentId },
      ];
    }),
  );
  let allowed: WriteContext | undefined;
  for (const { permission, ...scope } of scopes.values())
    allowed = authorized(call, permission, scope);
  if (!allowed) throw new Error("There must be an operation");
  return allowed;
}

/** Throws: 403 if a row that was read belongs to a project that the actor may not write to. */
export function assertInProject({ actor }: Call, state: State): void {
  const { flags, strategies, segments, tags, contexts } = state;
  for (const rows of [flags, segments, tags, contexts])
    for (const { projectId } of rows.values()) assertInScope(actor, projectId);
  for (const { flag } of strategies.values()) assertInScope(actor, flag.projectId);
}
