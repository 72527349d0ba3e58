import { type Schema, Validator } from "@cfworker/json-schema";
import { api } from "../../../src/api.ts";
import { HEADERS } from "../../../src/http/headers.ts";
import { describe } from "../../../src/api-docs/document.ts";
import type { Answer, Json } from "./response.ts";

/** Test helper that checks responses against the published API description (OpenAPI). */

interface Described {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly method: string;
  readonly pattern: RegExp;
  readonly responses: Readonly<Record<string, Described>>;
}

export const description: Json = describe(api);

/**
 * The node of the description that `$ref` points to, through any number of references. A node
 * without `$ref` is returned unchanged.
 */
export function resolved(node: Json): Json {
  if (node?.$ref === undefined) return node;
  const [, ...names] = node.$ref.split("/");
  return resolved(names.reduce((at: Json, name: string) => at[name], description));
}

const PARAMETER = /\{\w+\}/g;

// The operations with the fewest path parameters come first: when a literal path and a path with
// parameters both match, the literal one is used.
const operations: readonly Operation[] = Object.entries<Json>(description.paths)
  .toSorted(([a], [b]) => (a.match(PARAMETER)?.length ?? 0) - (b.match(PARAMETER)?.length ?? 0))
  .flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replaceAll(PARAMETER, "[^/]+")}$`),
      responses,
    })),
  );

/**
 * The schema with its references resolved. An object schema that lists its properties rejects
 * additional fields, unless the schema itself allows them.
 */
function strict(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== "object" || schema === null) return schema;
  const { example: _, ...parts } = resolved(schema);
  const entries = Object.entries<Json>(parts).map(([name, part]) => [
    name,
    name === "properties"
      ? Object.fromEntries(Object.entries(part).map(([field, value]) => [field, strict(value)]))
      : strict(part),
  ]);
  return { additionalProperties: parts.properties === undefined, ...Object.fromEntries(entries) };
}

/**
 * The validator of each schema, created when the schema is first used. The validator interprets the
 * schema, because the Workers runtime does not allow code generation.
 */
const validators = new Map<Schema, Validator>();

function validatorOf(schema: Schema): Validator {
  const known = validators.get(schema);
  if (known) return known;
  const validator = new Validator(strict(schema), "2020-12", false);
  validators.set(schema, validator);
  return validator;
}

/** How a response violates the API description; undefined if it does not. */
export function contractViolation(
  method: string,
  path: string,
  answer: Answer<unknown>,
): string | undefined {
  const { pathname } = new URL(path, "https://flags.test");
  const matching = operations.filter(({ pattern }) => pattern.test(pathname));
  const describedMethod = method === "HEAD" ? "GET" : method;
  const operation = matching.find((one) => one.method === describedMethod);
  // Unknown paths, methods that a path does not have, and CORS preflights are not operations.
  if (!operation) return undefined;
  const response: Described | undefined = resolved(operation.responses[answer.status]);
  if (!response) return `the status ${answer.status} is not described`;
  return (
    headerBreach(response, answer) ?? (method === "HEAD" ? undefined : bodyBreach(response, answer))
  );
}

function headerBreach({ headers = {} }: Described, { status, headers: sent }: Answer<unknown>) {
  const missing = Object.keys(headers).find(
    (name) => resolved(headers[name]).required === true && !sent.has(name),
  );
  if (missing !== undefined) return `the header ${missing} is missing`;
  // Error responses are described once for all routes, so they may have headers that the
  // description does not name.
  const unnamed = Object.keys(HEADERS).find((name) => sent.has(name) && !(name in headers));
  return status < 400 && unnamed !== undefined
    ? `the header ${unnamed} is not described`
    : undefined;
}

function bodyBreach({ content }: Described, { headers, body }: Answer<unknown>) {
  if (!content) return body === "" ? undefined : "a body where none is described";
  const type = (headers.get("Content-Type") ?? "").split(";")[0] ?? "";
  const schema = content[type]?.schema;
  if (!schema) return `the content type ${type} is not described`;
  const { valid, errors } = validatorOf(schema).validate(body);
  return valid ? undefined : errors.map((e) => `${e.instanceLocation} ${e.error}`).join("; ");
}
