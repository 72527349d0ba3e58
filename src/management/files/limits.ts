import { z } from "@hono/zod-openapi";
import { MAX_FAULTS, shortPointer } from "@feature-flags/file/check";
import { MAPS } from "@feature-flags/file/diff";
import type { FileServe, FileStrategy, FlagsFile } from "@feature-flags/file/file";
import { pointer } from "@feature-flags/file/pointer";
import { type FieldError, invalid } from "../../core/errors/api-error.ts";
import { jsonBytes } from "../../core/lib/chunks.ts";
import { Turns } from "../../core/lib/turns.ts";
import { MAX_CONSTRAINTS_BYTES } from "../../core/strategies/validate.ts";
import type { Quotas } from "../../db/quota.ts";
import { name } from "../../http/schema.ts";
import { constraintsRequest } from "../shared/constraint-request.ts";
import { createContextRequest, replaceValuesRequest } from "../contexts/schema.ts";
import { createFlagRequest, flagKey, updateFlagRequest } from "../flags/schema.ts";
import { MAX_TAGS } from "../../model/flags/attached-tags.ts";
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
  ...z.object(activationFields).omit({ exactPercentage: true, segmentIds: true }).shape,
  percentage: activationFields.exactPercentage,
  constraints,
  segments: segmentList(name),
  serve,
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

/** Returns a value of a context as a text, if the file needs to say no more. */
const toText = ({
  value,
  description,
}: {
  value: string;
  description?: string | null | undefined;
}) => (description == null ? value : { value, description });

/** Returns the part of a path that a value of the file has: a schema sees some texts as objects. */
function placeIn(value: unknown, path: readonly PropertyKey[]): string[] {
  const place: string[] = [];
  let at = value;
  for (const part of path) {
    if (typeof at !== "object" || at === null) break;
    place.push(String(part));
    at = (at as Readonly<Record<PropertyKey, unknown>>)[part];
  }
  return place;
}

const SCHEMAS = {
  context: z.object({
    name: createContextRequest.shape.name.optional(),
    contextType: createContextRequest.shape.contextType.optional(),
    values: z
      .preprocess((list) => (list as readonly unknown[]).map(toObject), replaceValuesRequest)
      .transform((list) => list.map(toText))
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

const KINDS = ["context", "tag", "segment", "flag"] as const;

const KEYS = {
  context: createContextRequest.shape.contextKey,
  tag: name,
  segment: name,
  flag: flagKey,
};

/** The quota of each kind of resource. */
const QUOTA_OF = { context: "CONTEXTS", tag: "TAGS", segment: "SEGMENTS", flag: "FLAGS" } as const;

/**
 * Throws: 400 if a file names more resources of a kind than a project may have. The time of a plan grows
 * with their number, and a plan checks no quotas.
 */
function assertCounts(file: FlagsFile, quotas: Quotas): void {
  const counts = KINDS.map((kind) => ({
    field: pointer(MAPS[kind]),
    count: Object.keys(file[MAPS[kind]] ?? {}).length,
    most: quotas[QUOTA_OF[kind]],
  }));
  const tooMany = counts.find(({ count, most }) => count > most);
  if (tooMany)
    throw invalid([{ field: tooMany.field, message: `must have at most ${tooMany.most} entries` }]);
  const most = quotas.ENVIRONMENTS;
  for (const [key, { environments }] of Object.entries(file.flags ?? {}))
    if (environments && Object.keys(environments).length > most) {
      const field = shortPointer(["flags", key, "environments"]);
      throw invalid([{ field, message: `must have at most ${most} entries` }]);
    }
}

/**
 * The most rules of all strategies of a file together. A stored rule takes about 200 bytes, so a project
 * with more has no export (`MAX_PROJECT_BYTES`), and an apply cannot add as many.
 */
const MAX_FILE_RULES = 100_000;

/** Throws: 400 if the strategies of a file have too many rules, each of which takes a hash. */
function assertRules(file: FlagsFile): void {
  let count = 0;
  for (const { environments = {} } of Object.values(file.flags ?? {}))
    for (const strategy of Object.values(environments)) count += strategy.rules?.length ?? 0;
  if (count > MAX_FILE_RULES)
    throw invalid([
      {
        field: pointer(MAPS.flag),
        message: `must have at most ${MAX_FILE_RULES} rules together, and has ${count}; apply several files`,
      },
    ]);
}

/**
 * Returns the file with normalised texts. Throws: 400 with the JSON Pointers of what is wrong, at most
 * `MAX_FAULTS` of them.
 */
export async function withinLimits(file: FlagsFile, quotas: Quotas): Promise<FlagsFile> {
  assertCounts(file, quotas);
  assertRules(file);
  const turns = new Turns();
  const errors: FieldError[] = [];
  const report = (place: readonly string[], message: string) => {
    errors.push({ field: shortPointer(place), message });
    if (errors.length >= MAX_FAULTS) throw invalid(errors);
  };
  const parsed = <T>(place: readonly string[], schema: z.ZodType<T>, value: unknown): T => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    for (const { path, message } of result.error.issues)
      report([...place, ...placeIn(value, path)], message);
    return value as T;
  };
  /** Checks a resource with constraints. Refuses too large ones first, because a schema takes long for them. */
  const constrained = (place: readonly string[], schema: z.ZodType<object>, value: object) => {
    const bytes = constraintsBytes(value);
    if (bytes <= MAX_CONSTRAINTS_BYTES) return parsed(place, schema, value);
    report([...place, "constraints"], tooLarge(bytes));
    return value;
  };
  const manager =
    file.manager === undefined ? {} : { manager: parsed(["manager"], name, file.manager) };
  const maps: [keyof typeof MAPS, (readonly [string, object])[]][] = [];
  for (const kind of KINDS) {
    const names = new Set<string>();
    const entries: (readonly [string, object])[] = [];
    for (const [key, one] of Object.entries<object>(file[MAPS[kind]] ?? {})) {
      await turns.next(kind === "flag" ? { ...one, environments: undefined } : one);
      const place = [MAPS[kind], key];
      const value = constrained(place, SCHEMAS[kind], one);
      const stored = parsed(place, KEYS[kind], key);
      if (names.has(stored)) report(place, "is the same name as an earlier one");
      names.add(stored);
      entries.push([stored, withoutUndefined(value)]);
    }
    maps.push([kind, entries]);
  }
  const flags: (readonly [key: string, environment: string, strategy: object])[] = [];
  for (const [key, { environments }] of Object.entries(file.flags ?? {}))
    for (const [environment, one] of Object.entries(environments ?? {})) {
      await turns.next(one);
      const place = ["flags", key, "environments", environment];
      flags.push([key, environment, constrained(place, SCHEMAS.strategy, one)]);
    }
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

/** Returns the size of all constraints of a strategy or a segment, bytes of JSON. */
const constraintsBytes = (value: Pick<FileStrategy, "constraints" | "rules">) =>
  [value, ...(value.rules ?? [])].reduce((sum, one) => sum + jsonBytes(one.constraints ?? []), 0);

const tooLarge = (bytes: number) =>
  `must have at most ${MAX_CONSTRAINTS_BYTES} bytes of JSON, together with those of all rules; these have ${bytes}`;

const withoutUndefined = (value: object) =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));
