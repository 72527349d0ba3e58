import { ADMINS, type Caller, EDITORS, PEOPLE, READERS } from "./callers.ts";

/** An endpoint that clients rely on, with the callers that may use it. */
export interface Row {
  /** The HTTP method and the path. */
  readonly name: string;
  /**
   * The callers that may use the endpoint (docs/decisions.md, 3.2 and 3.4). `open`: no token
   * needed.
   */
  readonly callers: "open" | readonly Caller[];
}

const row = (name: string, callers: Row["callers"]): Row => ({ name, callers });

const SERVERS = ["SERVER"] as const;
const MACHINES = ["SERVER", "FRONTEND"] as const;

/**
 * The endpoints that must not disappear or move, by subject. The list is written by hand, because a
 * list that is derived from the routes would always match the routes.
 */
export const CONTRACT: Readonly<Record<string, readonly Row[]>> = {
  "Authentication endpoints": [
    row("POST /api/v1/auth/login", "open"),
    row("POST /api/v1/auth/refresh", "open"),
    row("POST /api/v1/auth/logout", PEOPLE),
    row("GET /api/v1/auth/me", PEOPLE),
    row("POST /api/v1/auth/select-project", PEOPLE),
    row("POST /api/v1/auth/forgot-password", "open"),
    row("POST /api/v1/auth/reset-password", "open"),
    row("POST /api/v1/auth/accept-invite", "open"),
  ],
  Flags: [
    row("POST /api/v1/flags", EDITORS),
    row("GET /api/v1/flags", READERS),
    row("GET /api/v1/flags/{id}", READERS),
    row("GET /api/v1/flags/by-environment", READERS),
    row("GET /api/v1/flags/enriched", READERS),
    row("PUT /api/v1/flags/{id}", EDITORS),
    row("PUT /api/v1/flags/{flagId}/strategies", [...EDITORS, "SERVER"]),
    row("POST /api/v1/flags/{id}/archive", EDITORS),
    row("POST /api/v1/flags/{id}/unarchive", EDITORS),
    row("GET /api/v1/flags/{flagId}/metrics", READERS),
  ],
  Segments: [
    row("POST /api/v1/segments", EDITORS),
    row("GET /api/v1/segments", READERS),
    row("GET /api/v1/segments/{id}", READERS),
    row("PUT /api/v1/segments/{id}", EDITORS),
    row("DELETE /api/v1/segments/{id}", EDITORS),
  ],
  Environments: [
    row("POST /api/v1/environments", ADMINS),
    row("GET /api/v1/environments", READERS),
    row("GET /api/v1/environments/{id}", READERS),
    row("PUT /api/v1/environments/{id}", ADMINS),
    row("DELETE /api/v1/environments/{id}", ADMINS),
  ],
  "API keys": [
    row("POST /api/v1/api-keys", ADMINS),
    row("GET /api/v1/api-keys", READERS),
    row("PUT /api/v1/api-keys/{id}", ADMINS),
    row("DELETE /api/v1/api-keys/{id}", ADMINS),
  ],
  Audit: [row("GET /api/v1/audit", READERS)],
  "Client (SDK) endpoints": [
    row("GET /api/client/features", SERVERS),
    row("POST /api/client/evaluate", MACHINES),
    row("POST /api/client/metrics", MACHINES),
  ],
  Integrations: [
    row("POST /api/v1/integrations", ADMINS),
    row("GET /api/v1/integrations", READERS),
    row("PUT /api/v1/integrations/{id}", ADMINS),
    row("DELETE /api/v1/integrations/{id}", ADMINS),
    row("GET /api/v1/integrations/webhook-limit", READERS),
  ],
  Users: [
    row("POST /api/v1/users/invite", ADMINS),
    row("GET /api/v1/users", ADMINS),
    row("GET /api/v1/users/{id}", ADMINS),
    row("PUT /api/v1/users/{id}", ADMINS),
    row("DELETE /api/v1/users/{id}", ADMINS),
  ],
  Tags: [
    row("POST /api/v1/tags", EDITORS),
    row("GET /api/v1/tags", READERS),
    row("GET /api/v1/tags/{id}", READERS),
    row("PUT /api/v1/tags/{id}", EDITORS),
    row("DELETE /api/v1/tags/{id}", EDITORS),
  ],
  Contexts: [
    row("POST /api/v1/contexts", EDITORS),
    row("GET /api/v1/contexts", READERS),
    row("GET /api/v1/contexts/{definitionId}", READERS),
    row("PUT /api/v1/contexts/{definitionId}", EDITORS),
    row("DELETE /api/v1/contexts/{definitionId}", EDITORS),
    row("GET /api/v1/contexts/{definitionId}/values", READERS),
    row("POST /api/v1/contexts/{definitionId}/values", EDITORS),
    row("PUT /api/v1/contexts/{definitionId}/values", EDITORS),
    row("GET /api/v1/contexts/values/{valueId}", READERS),
    row("PUT /api/v1/contexts/values/{valueId}", EDITORS),
    row("DELETE /api/v1/contexts/values/{valueId}", EDITORS),
  ],
  "Metrics, settings, projects": [
    row("GET /api/v1/metrics", READERS),
    row("GET /api/v1/settings", ADMINS),
    row("PUT /api/v1/settings", ADMINS),
    row("GET /api/v1/projects", READERS),
    row("GET /api/v1/projects/{id}", READERS),
    row("POST /api/v1/projects", ADMINS),
    row("PUT /api/v1/projects/{id}", ADMINS),
    row("DELETE /api/v1/projects/{id}", ADMINS),
    row("GET /api/v1/projects/{id}/client-instances", READERS),
  ],
  "Description and operational endpoints": [
    row("GET /swagger-ui.html", "open"),
    row("GET /v3/api-docs", "open"),
    row("GET /v3/api-docs.yaml", "open"),
    row("GET /actuator/health", "open"),
    row("GET /actuator/{metrics_export}", "open"),
  ],
};
