import { z } from "@hono/zod-openapi";
import {
  booleanText,
  descriptionText,
  id,
  iso,
  isoOrNull,
  name,
  timestamp,
  version,
} from "../../http/schema.ts";
import { FLAG_CLIENTS } from "../../core/flags/variants.ts";
import { isPathStep, PATH_STEP } from "../../core/flags/validate.ts";
import { changeResponse, toChange } from "../audit/schema.ts";
import { EXAMPLE_SEGMENT, segmentResponse, toSegment } from "../segments/schema.ts";
import { EXAMPLE_STRATEGY, strategyResponse, toStrategy } from "../strategies/schema.ts";
import type { FlagRow } from "../../model/flags/queries.ts";
import type { EnrichedFlag, FlagWithStrategy } from "./list-service.ts";
import type { Related } from "./related.ts";
import { isStale } from "../../model/flags/staleness.ts";
import { MAX_TAGS } from "../../model/flags/attached-tags.ts";
import * as values from "./value-schema.ts";

/** The most owners of a flag (docs/use/api.md, Limits). */
const MAX_OWNERS = 10;

export const flagType = z.enum(["RELEASE", "KILLSWITCH"]);

const CLIENTS =
  "Which clients get the flag, in every environment. `server`: for a `FRONTEND` key the flag does not exist";

export const clients = z.enum(FLAG_CLIENTS).openapi({ description: CLIENTS });

/** The field in a request that creates a flag. */
const newClients = clients.optional().openapi({
  description: `${CLIENTS}. Default: \`newFlagClients\` of the project`,
});

const EXAMPLE = {
  id: 12,
  key: "new-checkout",
  name: "New checkout",
  description: "Checkout on a single page",
  flagType: "RELEASE",
  enabled: true,
  archived: false,
  tags: ["checkout"],
  projectId: 1,
  ownerIds: [2],
  clients: "all",
  valueType: "string",
  variants: [values.EXAMPLE_VARIANT],
  offVariant: "blue",
  valueSchema: { enum: ["#1971c2", "#e03131"] },
  prerequisites: [values.EXAMPLE_PREREQUISITE],
  stale: false,
  version: 3,
  createdAt: "2026-01-02T03:04:05.678Z",
  updatedAt: "2026-01-02T03:04:05.678Z",
  lastUsedAt: null,
};

export const flagResponse = z
  .object({
    id,
    key: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    flagType,
    enabled: z
      .boolean()
      .openapi({ description: "Not archived, and enabled in at least one environment" }),
    archived: z.boolean(),
    tags: z.array(z.string()).openapi({ description: "The values that the flag has for its tags" }),
    projectId: id,
    ownerIds: z.array(id).openapi({
      description:
        "The users who are responsible for the flag. A deleted user is no owner any more",
    }),
    clients,
    ...values.responseFields,
    stale: z.boolean().openapi({
      description:
        "A `RELEASE` flag that has not changed for the `staleDays` of its project and should be removed",
    }),
    version,
    createdAt: timestamp,
    updatedAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .openapi("Flag", { example: EXAMPLE });

const requiredBy = z.array(z.string()).openapi({
  description: "The keys of the flags that require this one, without archived flags",
});

export const oneFlagResponse = z
  .object({ ...flagResponse.shape, requiredBy })
  .openapi("FlagWithDependents", { example: { ...EXAMPLE, requiredBy: ["new-receipt"] } });

export const toFlag = (row: FlagRow, now: number): z.infer<typeof flagResponse> => ({
  id: row.id,
  key: row.key,
  name: row.name,
  description: row.description,
  flagType: row.flagType,
  enabled: row.enabled,
  archived: row.archived,
  tags: row.tags,
  projectId: row.projectId,
  ownerIds: [...row.ownerIds],
  clients: row.clients,
  valueType: row.valueType,
  variants: row.variants,
  offVariant: row.offVariant,
  valueSchema: row.valueSchema,
  prerequisites: [...row.prerequisites],
  stale: isStale(row, now),
  version: row.version,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
  lastUsedAt: isoOrNull(row.lastUsedAt),
});

const EXAMPLE_TAG = { id: 4, name: "checkout", color: "#2f9e44", value: "checkout" };

const tagObject = z
  .object({ id, name: z.string(), color: z.string(), value: z.string() })
  .openapi("FlagTag", { example: EXAMPLE_TAG });

const toFlagTag = ({ id: tagId, name: tagName, color, value }: z.infer<typeof tagObject>) => ({
  id: tagId,
  name: tagName,
  color,
  value,
});

const EXAMPLE_RELATED = {
  tags: [EXAMPLE_TAG],
  flags: [{ id: 13, key: "new-receipt", name: "New receipt" }],
  owners: [{ id: 2, name: "Ann" }],
  managedBy: [
    {
      environmentId: 3,
      manager: "shop-repo",
      fields: ["enabled", "exactPercentage"],
      repository: "https://github.com/example/shop",
      commit: "1b2c3d4",
    },
  ],
};

export const flagQuery = z.object({
  related: booleanText.optional().openapi({
    description:
      "true: with `related`, the names of what the flag refers to, so that a page needs no further requests",
  }),
});

/** The response of a single flag, which has `related` if the request asks for it. */
export const flagWithRelatedResponse = z
  .object({
    ...oneFlagResponse.shape,
    related: z
      .object({
        tags: z.array(tagObject),
        flags: z.array(z.object({ id, key: z.string(), name: z.string() })).openapi({
          description:
            "The flags that this flag requires, and those of `requiredBy`, sorted by key",
        }),
        owners: z.array(z.object({ id, name: z.string() })).openapi({
          description: "The owners, sorted by name. Empty for an API key, which may not read names",
        }),
        managedBy: z
          .array(
            z.object({
              environmentId: id.nullable().openapi({
                description: "The environment of a strategy; null for fields of the flag itself",
              }),
              manager: z.string(),
              fields: z.array(z.string()),
              repository: z.string().nullable(),
              commit: z.string().nullable(),
            }),
          )
          .openapi({
            description:
              "The fields that files own (docs/use/flags-as-code.md, Who owns a field), with the commit of the last apply of each file",
          }),
      })
      .optional(),
  })
  .openapi("FlagWithRelated", {
    example: { ...EXAMPLE, requiredBy: ["new-receipt"], related: EXAMPLE_RELATED },
  });

export const toRelated = ({ tags: attached, flags, owners, managedBy }: Related) => ({
  tags: attached.map(toFlagTag),
  flags,
  owners,
  managedBy,
});

export const toOneFlag = (row: FlagRow, now: number): z.infer<typeof oneFlagResponse> => ({
  ...toFlag(row, now),
  requiredBy: row.requiredBy,
});

export const flagWithStrategyResponse = z
  .object({ ...flagResponse.shape, strategy: strategyResponse })
  .openapi("FlagInEnvironment", { example: { ...EXAMPLE, strategy: EXAMPLE_STRATEGY } });

export const toFlagWithStrategy = ({ flag, strategy }: FlagWithStrategy, now: number) => ({
  ...toFlag(flag, now),
  strategy: toStrategy(strategy),
});

const EXAMPLE_CONTEXT = {
  id: 2,
  name: "Country",
  contextKey: "country",
  contextType: "string",
};

const contextObject = z
  .object({ id, name: z.string(), contextKey: z.string(), contextType: z.string() })
  .openapi("FlagContext", { example: EXAMPLE_CONTEXT });

const EXAMPLE_CHANGE = {
  at: "2026-01-02T03:04:05.678Z",
  actor: { kind: "user", id: 2, name: "Ann" },
};

const lastChange = changeResponse.nullable().openapi({
  description:
    "Who changed the flag or one of its strategies last. Null if there is no record of this change",
});

const pendingResponse = z
  .object({
    changeRequests: z.int().openapi({ description: "Open change requests without `applyAt`" }),
    scheduled: z.int().openapi({ description: "Open change requests with `applyAt`" }),
    ramps: z.int().openapi({ description: "Ramps that run or are paused" }),
  })
  .openapi({
    description:
      "How many change requests and ramps wait for the flag, its own and those of its strategies. Only in lists with `counts=true`",
  });

export const enrichedFlagResponse = z
  .object({
    ...oneFlagResponse.shape,
    lastChange,
    segments: z.array(segmentResponse),
    tags: z.array(tagObject),
    contexts: z.array(contextObject),
    environments: z.array(
      z.object({ id, name: z.string(), production: z.boolean(), strategy: strategyResponse }),
    ),
    pending: pendingResponse.optional(),
  })
  .openapi("EnrichedFlag", {
    example: {
      ...EXAMPLE,
      requiredBy: ["new-receipt"],
      lastChange: EXAMPLE_CHANGE,
      segments: [EXAMPLE_SEGMENT],
      tags: [EXAMPLE_TAG],
      contexts: [EXAMPLE_CONTEXT],
      environments: [{ id: 3, name: "production", production: true, strategy: EXAMPLE_STRATEGY }],
      pending: { changeRequests: 1, scheduled: 0, ramps: 0 },
    },
  });

export const toEnrichedFlag = (enriched: EnrichedFlag, now: number) => ({
  ...toOneFlag(enriched.flag, now),
  lastChange: enriched.lastChange && toChange(enriched.lastChange),
  segments: enriched.segments.map(toSegment),
  tags: enriched.tags.map(toFlagTag),
  contexts: enriched.contexts.map((context) => ({
    id: context.id,
    name: context.name,
    contextKey: context.contextKey,
    contextType: context.contextType,
  })),
  environments: enriched.strategies.map((strategy) => ({
    id: strategy.environmentId,
    name: strategy.environmentName,
    production: strategy.isProduction,
    strategy: toStrategy(strategy),
  })),
  ...(enriched.pending && { pending: enriched.pending }),
});

export const tag = z.union([name, z.object({ tagId: id, value: name })], {
  error: "must be a tag name, or an object {tagId, value}",
});
const tags = z.array(tag).max(MAX_TAGS, `must have at most ${MAX_TAGS} tags`);

const ownerIds = z
  .array(id)
  .max(MAX_OWNERS, `must have at most ${MAX_OWNERS} owners`)
  .transform((ids) => [...new Set(ids)].toSorted((a, b) => a - b))
  .openapi({ description: "The ids of the users who are responsible for the flag" });

/** The form of a key. A key of an earlier release can be `.` or `..`. */
export const flagKey = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,128}$/, "must have 1 to 128 characters: letters, digits, and . _ - :");

const key = flagKey.refine((text) => !isPathStep(text), PATH_STEP);

export const cloneFlagRequest = z
  .object({
    key,
    name,
    keepState: z.boolean().default(false).openapi({
      description: "true: the clone is on where the flag is on. Default: it is off everywhere",
    }),
  })
  .openapi("CloneFlag", { example: { key: "new-checkout-copy", name: "New checkout (copy)" } });

export const createFlagRequest = z
  .object({
    key,
    name,
    description: descriptionText.optional(),
    flagType,
    tags: tags.default([]),
    projectId: id,
    ownerIds: ownerIds.optional(),
    clients: newClients,
    valueType: values.valueType.optional(),
    ...values.requestFields,
  })
  .openapi("CreateFlag", {
    example: {
      key: "new-checkout",
      name: "New checkout",
      description: "Checkout on a single page",
      flagType: "RELEASE",
      tags: [{ tagId: 4, value: "checkout" }],
      projectId: 1,
      valueType: "string",
      variants: [values.EXAMPLE_VARIANT],
      offVariant: "blue",
      prerequisites: [values.EXAMPLE_PREREQUISITE],
    },
  });

/**
 * The request body that updates a flag. An omitted field keeps its value. The key, both types and
 * the project of a flag cannot be changed.
 */
export const updateFlagRequest = z
  .object({
    name: name.optional(),
    description: descriptionText.optional(),
    tags: tags.optional(),
    ownerIds: ownerIds.optional(),
    clients: clients.optional(),
    ...values.requestFields,
  })
  .openapi("UpdateFlag", { example: { name: "New checkout", tags: ["checkout"] } });
