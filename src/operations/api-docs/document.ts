import type { OpenAPIHono } from "@hono/zod-openapi";
import { completed, type Document } from "./complete.ts";

/** What can be described: routes with their contracts. */
export type Described = Pick<OpenAPIHono, "getOpenAPI31Document">;

const TAGS = {
  Authentication: "Sign in and out, and choose a project to work in",
  Account: "The own account, and the links that mails carry",
  "Second factor": "One-time passwords and recovery codes of the own account",
  Projects: "What everything else belongs to",
  Environments: "Where a flag is on or off: each with its own strategies, keys and revision",
  Flags: "What code asks about",
  Strategies: "Whether a flag is on in one environment: for whom, and for how many",
  Segments: "Groups of users, by constraints that several flags share",
  Tags: "Labels of flags",
  Contexts: "What an evaluation may know of a user, and the values that are offered for it",
  "API keys": "How SDKs and scripts sign in: each key is bound to one environment",
  Integrations: "Who is told of events: webhooks, and what was delivered to them",
  Users: "Who may sign in; for administrators",
  Settings: "Of the whole service; for administrators",
  Audit: "Who changed what, and when",
  Metrics: "How often flags are true and false, and which SDK instances know of a change",
  Client: "What SDKs call, with an API key: rules to evaluate, or verdicts",
  Operations: "Health and metrics of the service, for who runs it",
} as const;

const INFO = {
  title: "Feature flags",
  version: "1.0.0",
  summary: "Feature flags, rolled out by environment, percentage, constraints and segments",
  description: [
    "People and scripts use the management API below `/api/v1`, SDKs the client API below `/api/client`.",
    "Both take `Authorization: Bearer …`: an access token of `POST /api/v1/auth/login`, or an API key.",
    "`x-permission` names the permission that an operation needs; null: it is open to anybody.",
    "Timestamps are ISO 8601 in UTC; fields of a body that are not described are ignored.",
  ].join("\n\n"),
  // No SPDX identifier says it, but SPDX lets a document name a licence of its own.
  license: { name: "Proprietary, all rights reserved", identifier: "LicenseRef-Proprietary" },
};

/** The whole API description. Some ten milliseconds of work: not for every request. */
export function describe(app: Described): Document {
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: INFO,
    servers: [{ url: "/", description: "The instance that serves this description" }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  });
  return completed(document);
}
