import type { AuditEntry } from "../../db/audit.ts";
import { aboutToken } from "../tokens/new-token.ts";
import type { AgentRow } from "../../model/oauth/queries.ts";

/** What the audit trail says about a grant. */
export const agentContent = ({
  name,
  clientId,
  scopes,
  projectIds,
  environmentIds,
}: Pick<AgentRow, "name" | "clientId" | "scopes" | "projectIds" | "environmentIds">) => ({
  name,
  clientId,
  scopes,
  projectIds,
  environmentIds,
});

/** Returns the audit record of the end of a grant. `more`: what else it says about the grant. */
export const revoked = (grant: AgentRow, more: object = {}): [AuditEntry] => [
  { ...aboutToken("revoked", grant.id), before: { ...agentContent(grant), ...more } },
];
