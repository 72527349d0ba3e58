import { z } from "@hono/zod-openapi";
import { pageQuery } from "../../http/paging.ts";
import { booleanText, idText } from "../../http/schema.ts";
import type { FlagOrder } from "./list-queries.ts";
import { flagType } from "./schema.ts";

const text = z.string().min(1).max(200);

const SORTABLE = ["name", "key", "createdAt", "updatedAt", "lastUsedAt"] as const;
const ORDERS = new Map<string, FlagOrder>(
  SORTABLE.flatMap((by) => [
    [by, { by, descending: false }],
    [`-${by}`, { by, descending: true }],
  ]),
);

const filters = (maxSize: number) => ({
  projectId: idText.optional(),
  includeArchived: booleanText.optional().default(false),
  archived: booleanText.optional().openapi({
    description: "Only the archived flags, or only the others; wins over `includeArchived`",
  }),
  search: text.optional(),
  tag: text.optional(),
  flagType: flagType.optional(),
  stale: booleanText.optional().openapi({
    description: "Only flags that are `stale`, or only the others; an archived one never is",
  }),
  segmentId: idText.optional().openapi({
    description: "Only flags whose strategy in any environment uses this segment",
  }),
  state: z
    .enum(["on", "off"])
    .optional()
    .openapi({
      description:
        "Only flags whose strategy in `environmentId`, which it needs, is enabled, or those where " +
        "it is not or was never set",
    }),
  sort: z
    .enum([...ORDERS.keys()])
    .transform((name) => ORDERS.get(name))
    .optional()
    .openapi({
      description:
        "By id unless given; `-` for descending. Names and keys without regard to case; flags " +
        "that were never used come last either way; equals by id",
    }),
  ...pageQuery(maxSize),
});

/** Of a list of flags whose pages have at most so many. */
export const flagsQuery = (maxSize: number) =>
  z
    .object({
      ...filters(maxSize),
      environmentId: idText.optional().openapi({
        description: "What `state` is about; by itself it leaves out no flag",
      }),
    })
    .refine(({ state, environmentId }) => state === undefined || environmentId !== undefined, {
      path: ["environmentId"],
      message: "is required with state",
    });

/** The same of the list that is about one environment anyway. */
export const flagsInEnvironmentQuery = (maxSize: number) =>
  z.object({ ...filters(maxSize), environmentId: idText });
