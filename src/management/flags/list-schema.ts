import { z } from "@hono/zod-openapi";
import { MAX_LONG_PAGE_SIZE, pageQuery } from "../../http/paging.ts";
import { booleanText, idText, searchText } from "../../http/schema.ts";
import type { FlagOrder } from "../../model/flags/list-queries.ts";
import { clients, flagType } from "./schema.ts";

const SORTABLE = ["name", "key", "createdAt", "updatedAt", "lastUsedAt"] as const;
const ORDERS = new Map<string, FlagOrder>(
  SORTABLE.flatMap((by) => [
    [by, { by, descending: false }],
    [`-${by}`, { by, descending: true }],
  ]),
);

/** The most values of one filter. The limit is part of the API (docs/use/api.md). */
const MAX_VALUES = 10;

/** The schema of a filter that may have several values: the parameter is repeated for each. */
const several = <T extends z.ZodType>(value: T, description: string) =>
  z
    .preprocess(
      (given) => (typeof given === "string" ? [given] : given),
      z.array(value).min(1).max(MAX_VALUES, `must have at most ${MAX_VALUES} values`),
    )
    .optional()
    .openapi({ description });

const filters = {
  projectId: idText.optional(),
  includeArchived: booleanText.optional().default(false),
  archived: booleanText.optional().openapi({
    description:
      "true: only archived flags; false: only flags that are not. Overrides `includeArchived`",
  }),
  search: searchText.optional().openapi({
    description:
      "Only flags whose key or name has each of these words, in any order. The eighth and later words count as one text",
  }),
  tag: several(
    searchText,
    "Only flags with one of these tags: a name or a value. Repeat it for several",
  ),
  notTag: several(searchText, "Only flags with none of these tags"),
  flagType: flagType.optional(),
  clients: clients.optional().openapi({
    description: "server: only flags that browsers do not get; all: only flags that they get",
  }),
  stale: booleanText.optional().openapi({
    description:
      "true: only stale flags; false: only flags that are not. Archived flags are never stale",
  }),
  segmentId: several(
    idText,
    "Only flags whose strategy or ordered rules use one of these segments in any environment",
  ),
  notSegmentId: several(idText, "Only flags that use none of these segments in any environment"),
  ownerId: several(idText, "Only flags of which one of these users is an owner"),
  notOwnerId: several(idText, "Only flags of which none of these users is an owner"),
  onIn: several(idText, "Only flags that are on in each of these environments"),
  offIn: several(idText, "Only flags that are off in each of these environments"),
  state: z
    .enum(["on", "off"])
    .optional()
    .openapi({
      description:
        "on: only flags whose strategy in `environmentId` is enabled; off: only flags whose strategy " +
        "there is disabled or was never set. Requires `environmentId`",
    }),
  favourite: z
    .enum(["true"])
    .optional()
    .openapi({ description: "true: only your own favourite flags; for an API key, none" }),
  sort: z
    .enum([...ORDERS.keys()])
    .transform((name) => ORDERS.get(name))
    .optional()
    .openapi({
      description:
        "The order; by id if absent. `-` means descending. Names and keys sort case-insensitively, and " +
        "by the number at their end: 9 before 10. " +
        "Flags that were never used come last in both directions. Ties sort by id",
    }),
  ...pageQuery(MAX_LONG_PAGE_SIZE),
};

export const flagsQuery = z
  .object({
    ...filters,
    environmentId: idText.optional().openapi({
      description: "The environment that `state` refers to. Without `state` it filters nothing",
    }),
  })
  .refine(({ state, environmentId }) => state === undefined || environmentId !== undefined, {
    path: ["environmentId"],
    message: "is required when state is given",
  });

/** The same with `counts`. */
export const enrichedFlagsQuery = flagsQuery.safeExtend({
  counts: booleanText.optional().openapi({
    description: "true: each item has `pending`. Counting reads more of the database",
  }),
});

/**
 * The schema of the URL query parameters of a list of flags in one environment. `environmentId` is required.
 */
export const flagsInEnvironmentQuery = z.object({
  ...filters,
  projectId: idText
    .optional()
    .openapi({ description: "If given, must be the project of the environment (else 404)" }),
  environmentId: idText,
  differsFrom: idText.optional().openapi({
    description:
      "An environment of the same project: only flags whose strategies in the two environments differ. " +
      "Some of these can have the same effect, such as the same segments in another order",
  }),
});
