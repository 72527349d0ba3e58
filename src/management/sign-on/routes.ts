import { createRoute, z } from "@hono/zod-openapi";
import { openAtRate } from "../../http/access.ts";
import { json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { createRouter } from "../../http/router.ts";
import type { ManagementEnv } from "../deps.ts";
import { signOnOptionResponse } from "./provider-schema.ts";
import { listSignOnOptions } from "./provider-service.ts";

/** The routes with which users sign in at an identity provider. */
export const signOn = createRouter<ManagementEnv>();
const tags = ["Sign-on"];

signOn.openapi(
  createRoute({
    method: "get",
    path: "/",
    operationId: "listSignOnOptions",
    summary: "List the identity providers with which users can sign in",
    tags,
    ...openAtRate("session"),
    responses: { 200: json(z.array(signOnOptionResponse), "The providers"), ...errors() },
  }),
  async (c) => {
    const options = await listSignOnOptions(c.var.deps);
    return c.json(
      options.map(({ slug, name, type }) => ({ slug, name, type })),
      200,
    );
  },
);
