import { z } from "@hono/zod-openapi";
import { CONTEXT_TYPES } from "@feature-flags/evaluation/operators";
import {
  descriptionText,
  id,
  iso,
  keyText,
  name,
  pathId,
  timestamp,
  version,
} from "../../http/schema.ts";
import type { ContextRow, ListedContext } from "../../model/contexts/queries.ts";
import type { ValueRow } from "../../model/contexts/value-queries.ts";
import { MAX_VALUES } from "../../model/contexts/value-set.ts";

/**
 * The maximum length of a context key and of a context value in characters. The same limits apply
 * to the field and to the values of a constraint (docs/use/api.md, Limits).
 */
const MAX_KEY_LENGTH = 200;
const MAX_VALUE_LENGTH = 512;

export const contextResponse = z
  .object({
    id,
    projectId: id,
    name: z.string(),
    contextKey: z.string(),
    contextType: z.string(),
    valueCount: z.int().optional().openapi({
      description: "The number of known values. Only in lists with `counts=true`",
    }),
    version: z.int().openapi({
      description:
        "The number of changes, including those of the values; the `ETag` of the definition and of its values",
    }),
    createdAt: timestamp,
  })
  .openapi("ContextDefinition", {
    example: {
      id: 2,
      projectId: 1,
      name: "Country",
      contextKey: "country",
      contextType: "string",
      valueCount: 12,
      version: 3,
      createdAt: "2026-01-02T03:04:05.678Z",
    },
  });

export const toContext = (
  row: ContextRow & Partial<Pick<ListedContext, "valueCount">>,
): z.infer<typeof contextResponse> => ({
  id: row.id,
  projectId: row.projectId,
  name: row.name,
  contextKey: row.contextKey,
  contextType: row.contextType,
  ...(typeof row.valueCount === "number" && { valueCount: row.valueCount }),
  version: row.version,
  createdAt: iso(row.createdAt),
});

export const valueResponse = z
  .object({
    id,
    definitionId: id,
    value: z.string(),
    description: z.string().nullable(),
    version,
    createdAt: timestamp,
  })
  .openapi("ContextValue", {
    example: {
      id: 9,
      definitionId: 2,
      value: "DE",
      description: "Germany",
      version: 1,
      createdAt: "2026-01-02T03:04:05.678Z",
    },
  });

export const toValue = (row: ValueRow): z.infer<typeof valueResponse> => ({
  id: row.id,
  definitionId: row.definitionId,
  value: row.value,
  description: row.description,
  version: row.version,
  createdAt: iso(row.createdAt),
});

const contextType = z.enum(CONTEXT_TYPES, `must be one of ${CONTEXT_TYPES.join(", ")}`);

export const createContextRequest = z
  .object({
    name,
    contextKey: keyText
      .min(1, "must not be empty")
      .max(MAX_KEY_LENGTH, `must have at most ${MAX_KEY_LENGTH} characters`)
      .openapi({ description: "The name of the field in the evaluation context" }),
    contextType,
    projectId: id,
  })
  .openapi("CreateContext", {
    example: { name: "Country", contextKey: "country", contextType: "string", projectId: 1 },
  });

/**
 * The request body that updates a context definition. An omitted field keeps its value.
 * `contextKey` is accepted only if it equals the current context key.
 */
export const updateContextRequest = z
  .object({
    name: name.optional(),
    contextKey: z
      .string()
      .normalize("NFC")
      .optional()
      .openapi({ description: "Cannot be changed: absent, or the current key" }),
    contextType: contextType.optional(),
  })
  .openapi("UpdateContext", { example: { name: "Country of residence" } });

const value = z
  .string()
  .min(1, "must not be empty")
  .max(MAX_VALUE_LENGTH, `must have at most ${MAX_VALUE_LENGTH} characters`);

export const createValueRequest = z
  .object({ value, description: descriptionText.default(null) })
  .openapi("CreateContextValue", { example: { value: "DE", description: "Germany" } });

/** The request body that updates a context value. An omitted field keeps its value. */
export const updateValueRequest = z
  .object({ value: value.optional(), description: descriptionText.optional() })
  .openapi("UpdateContextValue", { example: { description: "Germany" } });

/** The request body that replaces all values of a context definition. Each value may occur only once. */
export const replaceValuesRequest = z
  .array(createValueRequest)
  .max(MAX_VALUES, `must have at most ${MAX_VALUES} values`)
  .superRefine((values, c) => {
    const seen = new Set<string>();
    for (const [index, { value: text }] of values.entries()) {
      if (seen.has(text))
        c.addIssue({ code: "custom", message: "must not occur twice", path: [index, "value"] });
      seen.add(text);
    }
  });

export const definitionParams = z.object({
  definitionId: pathId("definitionId"),
});
export const valueParams = z.object({
  valueId: pathId("valueId"),
});
