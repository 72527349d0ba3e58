import { access } from "../../http/access.ts";
import { json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";
import { visibilityOf } from "../../access/audit-visibility.ts";

export const audit = new Router<ManagementEnv>("Audit");

audit.endpoint(
  "GET /",
  {
    operationId: "listAudit",
    summary: "List who changed what, newest first",
    description:
      "Only administrators see security records and records of users, settings and sessions. " +
      "If the session has a selected project, the list contains only that project, unless an " +
      "administrator filters by `category=security` or by the entity type user, settings or session.",
    ...access("audit:read"),
    request: { query: schema.auditQuery },
    responses: {
      200: json(schema.auditPage, "A page of audit records"),
      ...errors(400, 401, 403),
    },
  },
  async (c) => {
    const page = await service.listAudit(callOfRequest(c), c.req.valid("query"));
    return c.json(schema.toAuditPage(page, visibilityOf(c.var.actor)), 200);
  },
);
