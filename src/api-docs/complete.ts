import type { OpenAPIHono } from "@hono/zod-openapi";
import { headerRefs, parameterRef, TRACE_HEADERS } from "../http/headers.ts";
import { exampleOf, schemaName, type Schemas } from "./schema-example.ts";

export type Document = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

type PathItem = NonNullable<Document["paths"]>[string];
type Operation = NonNullable<PathItem["get"]>;
type Content = NonNullable<
  Exclude<Operation["requestBody"], { $ref: string } | undefined>["content"]
>;

const METHODS = ["get", "post", "put", "delete"] as const;
const MANAGEMENT = /^\/(?:api\/v1|api\/oauth|\.well-known)\//;
/** The permissions of the operations that can change rules of a protected environment. */
const CHANGES_RULES = new Set<unknown>(["flag:write", "strategy:write", "segment:write"]);
const MANAGEMENT_HEADERS = [...TRACE_HEADERS, "X-D1-Bookmark", "Cache-Control"] as const;

/**
 * Adds what many operations share to the OpenAPI description: the headers that middleware reads and
 * writes, and the examples of the schemas. Changes and returns `document`.
 */
export function completed(document: Document): Document {
  const schemas = (document.components?.schemas ?? {}) as Schemas;
  for (const { path, operation } of operationsOf(document)) {
    const isManagement = MANAGEMENT.test(path);
    if (isManagement) addParameters(operation);
    for (const response of Object.values(operation.responses ?? {})) {
      if ("$ref" in response) continue;
      const common = isManagement ? MANAGEMENT_HEADERS : TRACE_HEADERS;
      response.headers = { ...headerRefs(common), ...response.headers };
      addExamples(response.content, schemas);
    }
    if (operation.requestBody && "content" in operation.requestBody)
      addExamples(operation.requestBody.content, schemas);
  }
  return document;
}

/** Returns the operations of a document, each with its path. */
export const operationsOf = ({ paths = {} }: Document) =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, operation }] : [];
    }),
  );

function addParameters(operation: Operation): void {
  const permission: unknown = operation["x-permission"];
  const isAudited = typeof permission === "string" && permission.endsWith(":write");
  operation.parameters = [
    ...(operation.parameters ?? []),
    ...(isAudited ? [parameterRef("X-Change-Reason")] : []),
    ...(CHANGES_RULES.has(permission) ? [parameterRef("X-Approval-Bypass")] : []),
    parameterRef("X-D1-Bookmark"),
  ];
}

function addExamples(content: Content | undefined, schemas: Schemas): void {
  for (const media of Object.values(content ?? {})) {
    if (!("schema" in media) || media.examples || media.example !== undefined) continue;
    // The example of a named schema is that of the body, too.
    if (hasOwnExample(media.schema, schemas)) continue;
    const example = exampleOf(media.schema, schemas);
    if (example !== undefined) media.example = example;
  }
}

const hasOwnExample = (schema: { readonly $ref?: string } | undefined, schemas: Schemas): boolean =>
  schema?.$ref !== undefined && schemas[schemaName(schema.$ref)]?.example !== undefined;
