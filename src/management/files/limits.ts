import { z } from "@hono/zod-openapi";
import { checkSteps, shortPointer } from "@feature-flags/file/check";
import { MAPS } from "@feature-flags/file/diff";
import { type FlagsFile, SCHEMAS } from "@feature-flags/file/file";
import { isObject } from "@feature-flags/file/json";
import { field, fields, list } from "@feature-flags/file/parts";
import { pointer } from "@feature-flags/file/pointer";
import { invalid } from "../../core/errors/api-error.ts";
import { jsonBytes } from "../../core/lib/chunks.ts";
import { inTurns } from "../../core/lib/turns.ts";
import { MAX_CONSTRAINTS_BYTES } from "../../core/strategies/validate.ts";
import type { Quotas } from "../../db/quota.ts";
import { descriptionText, name } from "../../http/schema.ts";
import { constraintsRequest } from "../shared/constraint-request.ts";
import { createContextRequest, replaceValuesRequest } from "../contexts/schema.ts";
import { flagKey, updateFlagRequest } from "../flags/schema.ts";
import { MAX_TAGS } from "../../model/flags/attached-tags.ts";
import { activationFields, MAX_RULES, ruleFields, segmentList } from "../strategies/schema.ts";
import { createTagRequest } from "../tags/schema.ts";

/**
 * The limits of the API for what a file says: the schemas of the requests that say the same. They also
 * normalise texts as these requests do, so that a file equals what the service stores.
 */

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/**
 * Returns the schema of an object of the file, whose fields also fit schemas of requests. Null: the
 * schema of the file has all limits of the field.
 */
function limited<T extends Shape>(
  shape: T,
  limits: { readonly [Name in keyof T]: z.core.$ZodType | null },
) {
  const entries = Object.entries(shape).map(([key, schema]) => {
    const limit = limits[key];
    if (!limit) return [key, schema] as const;
    const { innerType } = (schema as z.ZodOptional).def;
    return [key, field(z.pipe(innerType, limit))] as const;
  });
  return fields(Object.fromEntries(entries));
}

/** Adds the default type of constraints, which a request must name. */
const constraints = z.preprocess(
  (all) => (all as readonly object[]).map((one) => Object.assign({ contextType: "string" }, one)),
  constraintsRequest,
);

const { exactPercentage: _exact, segmentIds: _ids, ...ofRequest } = activationFields;
const activation = {
  ...ofRequest,
  percentage: null,
  constraints,
  segments: segmentList(name),
  serve: null,
};

const rule = limited(SCHEMAS.rule.def.shape, { id: null, name: ruleFields.name, ...activation });
const rules = z
  .custom<{ id?: unknown }[]>()
  .refine(({ length }) => length <= MAX_RULES, `must have at most ${MAX_RULES} rules`)
  .superRefine((all, c) => {
    const known = new Set<unknown>();
    for (const [n, { id }] of all.entries()) {
      if (id !== undefined && known.has(id))
        c.addIssue({ code: "custom", path: [n, "id"], message: "is the id of an earlier rule" });
      known.add(id);
    }
  });

/** Returns a value of a context as a text, if the file needs to say no more. */
const toText = ({ value, description }: z.infer<typeof replaceValuesRequest>[number]) =>
  description === null ? value : { value, description };

const values = z
  .preprocess(
    (all) => (all as unknown[]).map((one) => (typeof one === "string" ? { value: one } : one)),
    replaceValuesRequest,
  )
  .transform((all) => all.map(toText));

/**
 * Refuses a resource whose constraints are too large together, before a schema takes long for them.
 * `rules`: those of a strategy have constraints, too.
 */
const sized = (schema: z.core.$ZodType) =>
  z.preprocess((value, c) => {
    const inner = isObject(value) && Array.isArray(value["rules"]) ? value["rules"] : [];
    const bytes = [value, ...(inner as unknown[])].reduce<number>(
      (sum, one) => sum + (isObject(one) ? jsonBytes(one["constraints"] ?? []) : 0),
      0,
    );
    if (bytes <= MAX_CONSTRAINTS_BYTES) return value;
    const message = `must have at most ${MAX_CONSTRAINTS_BYTES} bytes of JSON, together with those of all rules; these have ${bytes}`;
    c.addIssue({ code: "custom", path: ["constraints"], message });
    return z.NEVER;
  }, schema);

const { shape: request } = updateFlagRequest;

/** The schemas of the file with the limits of the API. */
const LIMITED = {
  file: limited(SCHEMAS.file.def.shape, {
    version: null,
    project: null,
    manager: name,
    contexts: null,
    tags: null,
    segments: null,
    flags: null,
  }),
  context: limited(SCHEMAS.context.def.shape, { name, contextType: null, values }),
  tag: limited(SCHEMAS.tag.def.shape, { color: createTagRequest.shape.color, renamedFrom: name }),
  segment: sized(
    limited(SCHEMAS.segment.def.shape, {
      description: descriptionText,
      constraints,
      renamedFrom: name,
    }),
  ),
  flag: limited(SCHEMAS.flag.def.shape, {
    name,
    description: descriptionText,
    flagType: null,
    tags: z
      .array(z.union([name, z.object({ name, value: name })]))
      .max(MAX_TAGS, `must have at most ${MAX_TAGS} tags`),
    valueType: null,
    variants: request.variants,
    offVariant: null,
    valueSchema: null,
    clients: null,
    prerequisites: request.prerequisites,
    environments: null,
  }),
  strategy: sized(
    limited(
      { ...SCHEMAS.strategy.def.shape, rules: field(z.pipe(list(rule), rules)) },
      { enabled: null, ...activation, rules: null },
    ),
  ),
  names: {
    context: createContextRequest.shape.contextKey,
    tag: name,
    segment: name,
    flag: flagKey,
  },
};

/** The quota of each kind of resource. */
const QUOTA_OF = { context: "CONTEXTS", tag: "TAGS", segment: "SEGMENTS", flag: "FLAGS" } as const;

/**
 * The most rules of all strategies of a file together. A stored rule takes about 200 bytes, so a project
 * with more has no export (`MAX_PROJECT_BYTES`), and an apply cannot add as many.
 */
const MAX_FILE_RULES = 100_000;

/**
 * Throws: 400 if a file names more resources of a kind than a project may have, or has too many rules.
 * The time of a plan grows with their number, and a plan checks no quotas.
 */
function assertCounts(value: unknown, quotas: Quotas): void {
  const assertAtMost = (most: number, map: unknown, place: readonly string[]) => {
    if (isObject(map) && Object.keys(map).length > most)
      throw invalid([{ field: shortPointer(place), message: `must have at most ${most} entries` }]);
  };
  if (!isObject(value)) return;
  for (const kind of ["context", "tag", "segment", "flag"] as const)
    assertAtMost(quotas[QUOTA_OF[kind]], value[MAPS[kind]], [MAPS[kind]]);
  let count = 0;
  for (const [key, flag] of Object.entries(objectOf(value["flags"]))) {
    const { environments } = objectOf(flag);
    assertAtMost(quotas.ENVIRONMENTS, environments, ["flags", key, "environments"]);
    for (const one of Object.values(objectOf(environments)))
      if (isObject(one) && Array.isArray(one["rules"])) count += one["rules"].length;
  }
  if (count > MAX_FILE_RULES)
    throw invalid([
      {
        field: pointer(MAPS.flag),
        message: `must have at most ${MAX_FILE_RULES} rules together, and has ${count}; apply several files`,
      },
    ]);
}

const objectOf = (value: unknown) => (isObject(value) ? value : {});

/** Returns the file with normalised texts. Throws: 400 with the JSON Pointers of what is wrong. */
export async function checkedFile(value: unknown, quotas: Quotas): Promise<FlagsFile> {
  assertCounts(value, quotas);
  const result = await inTurns(checkSteps(value, LIMITED));
  if ("file" in result) return result.file;
  throw invalid(result.faults.map(({ path, message }) => ({ field: path, message })));
}
