import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { type HeaderName, headerRefs, HEADERS, parameterRef, PARAMETERS } from "./headers.ts";
import { errorBody, ERROR_RESPONSES, errorComponent } from "./error-contract.ts";

/** A JSON answer of a route contract, with the headers that matter. */
export const json = <T extends z.ZodType>(
  schema: T,
  description: string,
  ...headers: HeaderName[]
) => ({
  description,
  headers: headerRefs(headers),
  content: { "application/json": { schema } },
});

/** A list that is answered whole unless a slice of it is asked for (see `sliced`). */
export const jsonList = <T extends z.ZodType>(
  item: T,
  description: string,
  ...headers: HeaderName[]
) => json(z.array(item), description, "X-Total-Count", ...headers);

/** An answer without a body. */
export const empty = (description: string, ...headers: HeaderName[]) => ({
  description,
  headers: headerRefs(headers),
});

/** A JSON request body of a route contract. */
export const body = <T extends z.ZodType>(schema: T) => ({
  required: true,
  content: { "application/json": { schema } },
});

/** The part of a contract that says: takes `If-Match` (see `ifMatchVersions`). */
export const ifMatch = { parameters: [parameterRef("If-Match")] };

export const ifNoneMatch = { parameters: [parameterRef("If-None-Match")] };

/** The headers with which an SDK identifies itself (docs/decisions.md, 4.8), for a route contract. */
export const sdkHeaders = {
  parameters: [
    parameterRef("X-App-Name"),
    parameterRef("X-Instance-Id"),
    parameterRef("X-Sdk-Version"),
  ],
};

/** Registers what the contracts refer to by name. */
export function registerComponents(registry: OpenAPIHono["openAPIRegistry"]): void {
  registry.register("Error", errorBody);
  registry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    description: "An access token of `POST /api/v1/auth/login`, or an API key",
  });
  registry.registerComponent("securitySchemes", "actuatorToken", {
    type: "http",
    scheme: "bearer",
    description: "The secret `ACTUATOR_TOKEN`, where it is set",
  });
  for (const [name, header] of Object.entries(HEADERS))
    registry.registerComponent("headers", name, header);
  for (const [name, parameter] of Object.entries(PARAMETERS))
    registry.registerComponent("parameters", name, { name, in: "header", ...parameter });
  for (const [name, one] of Object.entries(ERROR_RESPONSES))
    registry.registerComponent("responses", name, errorComponent(one));
}
