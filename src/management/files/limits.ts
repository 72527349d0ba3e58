import { z } from "@hono/zod-openapi";
import { MAPS } from "@feature-flags/file/diff";
import type { FileServe, FlagsFile } from "@feature-flags/file/file";
import { pointer } from "@feature-flags/file/pointer";
import { type FieldError, invalid } from "../../core/errors/api-error.ts";
import { name } from "../../http/schema.ts";
import { constraintsRequest } from "../constraints.ts";
import { createContextRequest, replaceValuesRequest } from "../contexts/schema.ts";
import { createFlagRequest, updateFlagRequest } from "../flags/schema.ts";
import { MAX_TAGS } from "../flags/attached-tags.ts";
import { createSegmentRequest } from "../segments/schema.ts";
import { activationFields, MAX_RULES, ruleFields, segmentList } from "../strategies/schema.ts";
import { createTagRequest } from "../tags/schema.ts";

/**
 * The limits of the API for what a file says, from the schemas of the requests that say the same. They
 * also normalise texts as these requests do, so that a file equals what the service stores.
 */

const renamedFrom = name.optional();

/** Adds the default type of constraints, which a request must name. */
const constraints = z
  .preprocess(
    (list) =>
      (list as readonly object[]).map((one) => Object.assign({ contextType: "string" }, one)),
    constraintsRequest,
  )
  .optional();

/** Checks what a rule serves, and leaves it as it is, because the schema of a request has no slots. */
const serve = z
  .custom<FileServe>()
  .superRefine((value, c) => {
    for (const { path, message } of activationFields.serve.safeParse(value).error?.issues ?? [])
      c.addIssue({ code: "custom", path, message });
  })
  .optional();

const activation = {
  percentage: activationFields.exactPercentage,
  constraints,
  segments: segmentList(name),
  stickiness: activationFields.stickiness,
  hashKey: activationFields.hashKey,
  serve,
  splitKey: activationFields.splitKey,
  splitStickiness: activationFields.splitStickiness,
};

const rules = z
  .array(z.object({ id: z.string().optional(), name: ruleFields.name, ...activation }))
  .max(MAX_RULES, `must have at most ${MAX_RULES} rules`)
  .superRefine((list, c) => {
    for (const [n, { id }] of list.entries())
      if (id !== undefined && list.findIndex((one) => one.id === id) < n)
        c.addIssue({ code: "custom", path: [n, "id"], message: "is the id of an earlier rule" });
  });

const toObject = (value: unknown) => (typeof value === "string" ? { value } : value);

const SCHEMAS = {
  context: z.object({
    name: createContextRequest.shape.name.optional(),
    contextType: createContextRequest.shape.contextType.optional(),
    values: z
      .preprocess((list) => (list as readonly unknown[]).map(toObject), replaceValuesRequest)
      .optional(),
  }),
  tag: z.object({ color: createTagRequest.shape.color.optional(), renamedFrom }),
  segment: z.object({
    description: createSegmentRequest.shape.description,
    constraints,
    renamedFrom,
  }),
  flag: updateFlagRequest.omit({ ownerIds: true, tags: true }).extend({
    flagType: createFlagRequest.shape.flagType,
    valueType: createFlagRequest.shape.valueType,
    tags: z
      .array(z.union([name, z.object({ name, value: name })]))
      .max(MAX_TAGS, `must have at most ${MAX_TAGS} tags`)
      .optional(),
    environments: z.unknown().optional(),
  }),
  strategy: z.object({ enabled: z.boolean().optional(), ...activation, rules: rules.optional() }),
};

const KEYS = {
  context: createContextRequest.shape.contextKey,
  tag: name,
  segment: name,
  flag: createFlagRequest.shape.key,
};

/** Returns the file with normalised texts. Throws: 400 with the JSON Pointers of what is wrong. */
export function withinLimits(file: FlagsFile): FlagsFile {
  const errors: FieldError[] = [];
  const parsed = <T>(place: readonly string[], schema: z.ZodType<T>, value: unknown): T => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    for (const { path, message } of result.error.issues)
      errors.push({ field: pointer(...place, ...path.map(String)), message });
    return value as T;
  };
  const manager =
    file.manager === undefined ? {} : { manager: parsed(["manager"], name, file.manager) };
  const maps = (["context", "tag", "segment", "flag"] as const).map((kind) => {
    const given: Readonly<Record<string, object>> = file[MAPS[kind]] ?? {};
    const entries = Object.entries(given).map(([key, one]) => {
      const place = [MAPS[kind], key];
      const value = parsed<object>(place, SCHEMAS[kind], one);
      return [parsed(place, KEYS[kind], key), withoutUndefined(value)] as const;
    });
    return [kind, entries] as const;
  });
  const flags = Object.entries(file.flags ?? {}).flatMap(([key, { environments }]) =>
    Object.entries(environments ?? {}).map(([environment, one]) => {
      const place = ["flags", key, "environments", environment];
      return [key, environment, parsed(place, SCHEMAS.strategy, one)] as const;
    }),
  );
  if (errors.length > 0) throw invalid(errors);
  const strategies = Map.groupBy(flags, ([key]) => key);
  const result = Object.fromEntries(
    maps.map(([kind, entries]) => [
      MAPS[kind],
      Object.fromEntries(
        entries.map(([key, value]) => [
          key,
          kind === "flag" && strategies.has(key)
            ? Object.assign(value, {
                environments: Object.fromEntries(
                  strategies.get(key)?.map(([, environment, one]) => [environment, one]) ?? [],
                ),
              })
            : value,
        ]),
      ),
    ]),
  );
  return { ...file, ...manager, ...(result as Pick<FlagsFile, "flags">) };
}

const withoutUndefined = (value: object) =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));
