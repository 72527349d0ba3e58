import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { type HeaderName, headerRefs, HEADERS, parameterRef, PARAMETERS } from "./headers.ts";
import { errorBody, ERROR_RESPONSES, errorComponent } from "./error-contract.ts";

/** The part of a route contract for a JSON response, with its headers. */
export const json = <T extends z.ZodType>(
  schema: T,
  description: string,
  ...headers: HeaderName[]
) => ({
  description,
  headers: headerRefs(headers),
  content: { "application/json": { schema } },
});

/**
 * The part of a route contract for a list in a response: the whole list, or one page if the query
 * asks for a page (see `sliced`).
 */
export const listResponse = <T extends z.ZodType>(
  item: T,
  description: string,
  ...headers: HeaderName[]
) => json(z.array(item), description, "X-Total-Count", ...headers);

/** The part of a route contract for a response without a body. */
export const empty = (description: string, ...headers: HeaderName[]) => ({
  description,
  headers: headerRefs(headers),
});

/** The part of a route contract for a JSON request body. */
export const body = <T extends z.ZodType>(schema: T) => ({
  required: true,
  content: { "application/json": { schema } },
});

/** The part of a route contract that accepts `If-Match` (see `ifMatchVersions`). */
export const ifMatch = { parameters: [parameterRef("If-Match")] };

/** The part of a route contract that accepts `If-None-Match` (see `matchesNone`). */
export const ifNoneMatch = { parameters: [parameterRef("If-None-Match")] };

/** The part of a route contract that accepts the minimum revision of the response. */
export const minRevisionHeader = { parameters: [parameterRef("X-Min-Revision")] };

/** The part of a route contract that accepts the headers by which an SDK identifies itself. */
export const sdkHeaders = {
  parameters: [
    parameterRef("X-App-Name"),
    parameterRef("X-Instance-Id"),
    parameterRef("X-Sdk-Version"),
    parameterRef("X-Sdk-Features"),
  ],
};

/** Registers the OpenAPI components that the route contracts reference by name. */
export function registerComponents(registry: OpenAPIHono["openAPIRegistry"]): void {
  registry.register("Error", errorBody);
  registry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    description:
      "An access token from `POST /api/v1/auth/login`, a token from `POST /api/v1/tokens`, or an API key",
  });
  registry.registerComponent("securitySchemes", "actuatorToken", {
    type: "http",
    scheme: "bearer",
    description: "The secret `ACTUATOR_TOKEN`, if the operator has set it",
  });
  for (const [name, header] of Object.entries(HEADERS))
    registry.registerComponent("headers", name, header);
  for (const [name, parameter] of Object.entries(PARAMETERS))
    registry.registerComponent("parameters", name, { name, in: "header", ...parameter });
  for (const [name, one] of Object.entries(ERROR_RESPONSES))
    registry.registerComponent("responses", name, errorComponent(one));
}
