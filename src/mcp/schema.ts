import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";
import { isObject } from "../core/lib/is-object.ts";

/** The keywords that say nothing that an agent needs. */
const OMITTED = new Set(["$schema", "readOnly", "propertyNames", "minLength"]);

/**
 * Returns a schema as the library takes it, with a short JSON Schema: without what every JSON parser demands
 * of integers, and without the pattern of a format. Agents read the schemas of all tools at each start.
 */
export function shortSchema<S extends z.ZodType>(
  schema: S,
): StandardSchemaWithJSON<z.input<S>, z.output<S>> {
  const made: Partial<Record<"input" | "output", Record<string, unknown>>> = {};
  const of = (io: "input" | "output") => () =>
    (made[io] ??= shortened(z.toJSONSchema(schema, { io }), io) as Record<string, unknown>);
  return {
    "~standard": {
      version: 1,
      vendor: "feature-flags",
      validate: (value) => schema["~standard"].validate(value),
      jsonSchema: { input: of("input"), output: of("output") },
    },
  };
}

/** Returns a node of a JSON Schema without the keywords that say nothing new. */
function shortened(node: unknown, io: "input" | "output"): unknown {
  if (Array.isArray(node)) return node.map((one) => shortened(one, io));
  if (!isObject(node)) return node;
  const kept = Object.entries(node).filter(
    ([name, value]) =>
      !OMITTED.has(name) &&
      !(name === "pattern" && "format" in node) &&
      // The service adds fields to results, but never accepts unknown fields of an input.
      !(name === "additionalProperties" && (io === "output" || value !== false)) &&
      Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER,
  );
  const short = Object.fromEntries(kept.map(([name, value]) => [name, shortened(value, io)]));
  return withNull(short) ?? short;
}

/** Returns the short form of a type or null; undefined for another schema. */
function withNull({ anyOf, ...rest }: Readonly<Record<string, unknown>>) {
  if (!Array.isArray(anyOf)) return undefined;
  const [of, other] = anyOf as readonly Readonly<Record<string, unknown>>[];
  if (other?.["type"] !== "null" || typeof of?.["type"] !== "string") return undefined;
  return { ...rest, ...of, type: [of["type"], "null"] };
}
