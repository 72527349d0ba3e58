import type { OpenAPIHono } from "@hono/zod-openapi";
import { completed, type Document } from "./complete.ts";
import { shared } from "./share.ts";

/** An app whose routes have OpenAPI contracts. */
export type Described = Pick<OpenAPIHono, "getOpenAPI31Document">;

const TAGS = {
  Authentication: "Sign in and out, and select a project to work in",
  Account: "The caller's own account, invitations and password resets",
  "Second factor": "One-time passwords and recovery codes of the caller's own account",
  Passkeys: "Passkeys of the caller's own account, and signing in with them",
  "Sign-on": "Sign in with an identity provider: OpenID Connect, GitHub, Cloudflare Access",
  "Device logins":
    "Sign in on a device without a browser: a user approves the login in the browser of another device",
  Projects: "A project contains flags, environments, segments, contexts, tags and integrations",
  Environments: "Stages such as production, each with its own strategies, API keys and revision",
  Flags: "Feature flags, which code evaluates by key",
  Strategies:
    "Whether a flag is on in one environment, for which users and for what percentage of them",
  "Lists of operations":
    "Several changes of flags, strategies, segments, tags and contexts in one transaction",
  "Flags as code": "The flags of a project as a file",
  "Change requests": "Proposed changes, which others review before they are applied",
  Ramps: "Percentages that the service raises in steps",
  Segments: "Groups of users, defined by constraints that several flags share",
  Tags: "Labels for flags",
  Contexts: "Properties of a user that constraints can use, with suggested values",
  "API keys": "Credentials of SDKs and scripts, each bound to one environment",
  Tokens: "Credentials of people and service accounts for the management API, with scopes",
  Agents:
    "The endpoint for agents, with the Model Context Protocol, and OAuth clients that call it with the rights of a user",
  "Service accounts": "Accounts of machines, with a role; for administrators",
  Integrations: "Webhooks that receive events, and their deliveries",
  Users: "Accounts that can sign in; for administrators",
  Settings: "Settings of the whole service; for administrators",
  Audit: "The audit log: who changed what, and when",
  Metrics: "How often flags were true and false, and which SDK instances have received a change",
  Client: "The API for SDKs, with an API key: rules for local evaluation, or evaluated flags",
  OpenFeature:
    "For all OpenFeature clients, with an API key: OFREP, version 0.3.0, and the manifest",
  Unleash: "For the SDKs of Unleash, with an API key: rules as documents, or evaluated flags",
  Operations: "Health and metrics of the service, for its operators",
} as const;

const INFO = {
  title: "Feature flags",
  version: "1.0.0",
  summary: "Feature flags, rolled out by environment, percentage, constraints and segments",
  description: [
    "People and scripts use the management API below `/api/v1`, SDKs the client API below `/api/client`.",
    "Both take `Authorization: Bearer …`: an access token of `POST /api/v1/auth/login`, or an API key.",
    "`x-permission` is the permission that an operation needs; null means that it needs none.",
    "A write that changes nothing returns 200 and leaves no trace: no new ETag or revision, no audit record and no event.",
    "Timestamps are ISO 8601 in UTC. Fields of a request body that are not described are ignored.",
  ].join("\n\n"),
  // Uses a custom name (`LicenseRef-…`), which SPDX allows, because the SPDX licence list has no
  // entry for this licence.
  license: { name: "Proprietary, all rights reserved", identifier: "LicenseRef-Proprietary" },
};

/**
 * Builds the whole OpenAPI description. This takes tens of milliseconds, so the routes keep the
 * result.
 */
export function describe(app: Described): Document {
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: INFO,
    servers: [{ url: "/", description: "The instance that serves this description" }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  });
  return shared(completed(document));
}
