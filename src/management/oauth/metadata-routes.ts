import { z } from "@hono/zod-openapi";
import {
  RESOURCE_METADATA_PATH,
  resourceMetadata,
  SERVER_METADATA_PATH,
  serverMetadata,
} from "../../core/oauth/endpoints.ts";
import { open } from "../../http/access.ts";
import { json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import { assertPublicUrl } from "../../mail/mails.ts";

/** The documents with which OAuth clients find the authorisation server. */
export const oauthMetadata = new Router<ManagementEnv>("Agents");

const EXAMPLE = "https://flags.example.com";
const texts = z.array(z.string());

const resourceResponse = z
  .object({
    resource: z.string(),
    resource_name: z.string(),
    authorization_servers: texts,
    scopes_supported: texts,
    bearer_methods_supported: texts,
  })
  .openapi("ProtectedResource", { example: resourceMetadata(EXAMPLE) });

const serverResponse = z
  .object({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    revocation_endpoint: z.string(),
    scopes_supported: texts,
    response_types_supported: texts,
    response_modes_supported: texts,
    grant_types_supported: texts,
    token_endpoint_auth_methods_supported: texts,
    revocation_endpoint_auth_methods_supported: texts,
    code_challenge_methods_supported: texts,
    authorization_response_iss_parameter_supported: z.boolean(),
    client_id_metadata_document_supported: z.boolean(),
  })
  .openapi("AuthorizationServer", { example: serverMetadata(EXAMPLE) });

oauthMetadata.endpoint(
  `GET ${RESOURCE_METADATA_PATH}`,
  {
    operationId: "getProtectedResource",
    summary: "Read the metadata of the MCP endpoint as a protected resource (RFC 9728)",
    ...open,
    responses: { 200: json(resourceResponse, "The metadata"), ...errors() },
  },
  (c) => c.json(resourceMetadata(assertPublicUrl(c.var.deps)), 200),
);

oauthMetadata.endpoint(
  `GET ${SERVER_METADATA_PATH}`,
  {
    operationId: "getAuthorizationServer",
    summary: "Read the metadata of the OAuth authorisation server (RFC 8414)",
    ...open,
    responses: { 200: json(serverResponse, "The metadata"), ...errors() },
  },
  (c) => c.json(serverMetadata(assertPublicUrl(c.var.deps)), 200),
);
