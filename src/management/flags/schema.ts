import { z } from "@hono/zod-openapi";
import { descriptionText, id, iso, isoOrNull, name, timestamp } from "../../http/schema.ts";
import { segmentResponse, toSegment } from "../segments/schema.ts";
import { strategyResponse, toStrategy } from "../strategies/schema.ts";
import type { FlagRow } from "./queries.ts";
import type { EnrichedFlag, FlagWithStrategy } from "./lists.ts";

const flagType = z.enum(["RELEASE", "KILLSWITCH"]);
const MAX_TAGS = 50;

/** Decisions 2.11: a `RELEASE` flag that nobody touched for 40 days should be removed. */
const STALE_AFTER_MS = 40 * 86_400_000;

export const flagResponse = z
  .object({
    id,
    key: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    flagType,
    enabled: z.boolean(),
    archived: z.boolean(),
    tags: z.array(z.string()),
    projectId: id,
    stale: z.boolean(),
    /** Counts the changes; the ETag. */
    version: z.int(),
    createdAt: timestamp,
    updatedAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .openapi("Flag");

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
  stale: row.flagType === "RELEASE" && !row.archived && now - row.updatedAt >= STALE_AFTER_MS,
  version: row.version,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
  lastUsedAt: isoOrNull(row.lastUsedAt),
});

export const flagWithStrategyResponse = flagResponse
  .extend({ strategy: strategyResponse })
  .openapi("FlagInEnvironment");

export const toFlagWithStrategy = ({ flag, strategy }: FlagWithStrategy, now: number) => ({
  ...toFlag(flag, now),
  strategy: toStrategy(strategy),
});

const tagObject = z
  .object({ id, name: z.string(), color: z.string(), value: z.string() })
  .openapi("FlagTag");

const contextObject = z
  .object({ id, name: z.string(), contextKey: z.string(), contextType: z.string() })
  .openapi("FlagContext");

export const enrichedFlagResponse = flagResponse
  .extend({
    segments: z.array(segmentResponse),
    tags: z.array(tagObject),
    contexts: z.array(contextObject),
    environments: z.array(z.object({ id, name: z.string(), strategy: strategyResponse })),
  })
  .openapi("EnrichedFlag");

export const toEnrichedFlag = (enriched: EnrichedFlag, now: number) => ({
  ...toFlag(enriched.flag, now),
  segments: enriched.segments.map(toSegment),
  tags: enriched.tags.map((tag) => ({
    id: tag.id,
    name: tag.name,
    color: tag.color,
    value: tag.value,
  })),
  contexts: enriched.contexts.map((context) => ({
    id: context.id,
    name: context.name,
    contextKey: context.contextKey,
    contextType: context.contextType,
  })),
  environments: enriched.strategies.map((strategy) => ({
    id: strategy.environmentId,
    name: strategy.environmentName,
    strategy: toStrategy(strategy),
  })),
});

const tags = z
  .array(
    z.union([name, z.object({ tagId: id, value: name })], {
      error: "must be the name of a tag, or {tagId, value}",
    }),
  )
  .max(MAX_TAGS, `must have at most ${MAX_TAGS} tags`);

export const createFlagRequest = z.object({
  key: z
    .string()
    .regex(/^[A-Za-z0-9._:-]{1,128}$/, "must be 1 to 128 of letters, digits, and . _ - :"),
  name,
  description: descriptionText.optional(),
  flagType,
  tags: tags.default([]),
  projectId: id,
});

/** What is left out stays as it was; key and project never change. */
export const updateFlagRequest = z.object({
  name: name.optional(),
  description: descriptionText.optional(),
  tags: tags.optional(),
});

export const flagTypeQuery = flagType.optional();
export const searchQuery = z.string().min(1).max(200).optional();
