import { z } from "@hono/zod-openapi";
import { CONTEXT_TYPES } from "../../core/operators.ts";
import { descriptionText, id, idText, iso, name, timestamp } from "../../http/schema.ts";
import type { ContextRow } from "./queries.ts";
import type { ValueRow } from "./value-queries.ts";
import { MAX_VALUES } from "./value-set.ts";

/** The same as of a constraint's `field`, and of each of its `values` (decisions 4.6). */
const MAX_KEY_LENGTH = 200;
const MAX_VALUE_LENGTH = 512;

export const contextResponse = z
  .object({
    id,
    projectId: id,
    name: z.string(),
    contextKey: z.string(),
    contextType: z.string(),
    /** Counts the changes, those of the values too; the ETag of both. */
    version: z.int(),
    createdAt: timestamp,
  })
  .openapi("ContextDefinition");

export const toContext = (row: ContextRow): z.infer<typeof contextResponse> => ({
  id: row.id,
  projectId: row.projectId,
  name: row.name,
  contextKey: row.contextKey,
  contextType: row.contextType,
  version: row.version,
  createdAt: iso(row.createdAt),
});

export const valueResponse = z
  .object({
    id,
    definitionId: id,
    value: z.string(),
    description: z.string().nullable(),
    /** Counts the changes; the ETag. */
    version: z.int(),
    createdAt: timestamp,
  })
  .openapi("ContextValue");

export const toValue = (row: ValueRow): z.infer<typeof valueResponse> => ({
  id: row.id,
  definitionId: row.definitionId,
  value: row.value,
  description: row.description,
  version: row.version,
  createdAt: iso(row.createdAt),
});

const contextType = z.enum(CONTEXT_TYPES, `must be one of ${CONTEXT_TYPES.join(", ")}`);

export const createContextRequest = z.object({
  name,
  contextKey: z
    .string()
    .min(1, "must not be empty")
    .max(MAX_KEY_LENGTH, `must have at most ${MAX_KEY_LENGTH} characters`),
  contextType,
  projectId: id,
});

/** What is left out stays as it was; the key is taken only to refuse another one. */
export const updateContextRequest = z.object({
  name: name.optional(),
  contextKey: z.string().optional(),
  contextType: contextType.optional(),
});

const value = z
  .string()
  .min(1, "must not be empty")
  .max(MAX_VALUE_LENGTH, `must have at most ${MAX_VALUE_LENGTH} characters`);

export const createValueRequest = z.object({ value, description: descriptionText.default(null) });

/** What is left out stays as it was. */
export const updateValueRequest = z.object({
  value: value.optional(),
  description: descriptionText.optional(),
});

/** The whole set; a value may stand in it once. */
export const replaceValuesRequest = z
  .array(createValueRequest)
  .max(MAX_VALUES, `must have at most ${MAX_VALUES} values`)
  .superRefine((values, c) => {
    const seen = new Set<string>();
    for (const [index, { value: text }] of values.entries()) {
      if (seen.has(text))
        c.addIssue({ code: "custom", message: "is there already", path: [index, "value"] });
      seen.add(text);
    }
  });

export const definitionParams = z.object({
  definitionId: idText.openapi({ param: { name: "definitionId", in: "path" } }),
});
export const valueParams = z.object({
  valueId: idText.openapi({ param: { name: "valueId", in: "path" } }),
});
