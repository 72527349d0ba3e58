import { isDeepStrictEqual } from "node:util";
import type { z } from "@hono/zod-openapi";
import { app } from "../../../src/app.ts";
import type { Answer, Json } from "../support/client.ts";
import type { Route } from "./routes.ts";

interface Described {
  readonly content?: { readonly "application/json"?: { readonly schema: z.ZodType } };
}

const responses = new Map(
  app.openAPIRegistry.definitions.flatMap((definition) => {
    if (definition.type !== "route") return [];
    const { method, path, responses: described } = definition.route;
    return [
      [`${method.toUpperCase()} ${path}`, described as Record<string, Described | undefined>],
    ];
  }),
);

/** How an answer breaks what the service's own description says of it; undefined: it does not. */
export function breach(route: Route, answer: Answer<Json>): string | undefined {
  const described = responses.get(route.name)?.[String(answer.status)];
  if (!described) return `the status ${answer.status}, which ${route.name} does not describe`;
  const schema = described.content?.["application/json"]?.schema;
  if (!schema) return answer.body === "" ? undefined : "a body where none is described";
  const { success, data, error } = schema.safeParse(answer.body);
  if (!success) return `a body unlike its description (${error.message})`;
  return isDeepStrictEqual(data, answer.body) ? undefined : "fields that are not described";
}
