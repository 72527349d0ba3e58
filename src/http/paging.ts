import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { booleanText, idText } from "./schema.ts";

/**
 * The maximum number of items on a page of most lists. For the lists of flags and for audit
 * records the maximum is `MAX_LONG_PAGE_SIZE` (docs/build/decisions.md, 1.6).
 */
export const MAX_PAGE_SIZE = 100;
export const MAX_LONG_PAGE_SIZE = 200;
const DEFAULT_PAGE_SIZE = 20;

/** The schema of a whole number in a query, from `min` to `max`. */
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .openapi({ type: "integer", minimum: min, maximum: max });

/**
 * The schema of a page number, at most 10^9. With 200 items on each page, the offset stays far below 2^53.
 */
const pageNumber = wholeNumber(0, 1_000_000_000).openapi({
  description: "The page number; the first page is 0",
});

const pageSize = (maxSize: number) =>
  wholeNumber(1, maxSize).openapi({
    description: `The number of items on a page; ${DEFAULT_PAGE_SIZE} by default`,
  });

/** The query parameters of a list that is always returned in pages. */
export const pageQuery = (maxSize: number) => ({
  page: pageNumber.optional().default(0),
  size: pageSize(maxSize).optional().default(DEFAULT_PAGE_SIZE),
});

/** The query parameters of a list that is returned whole unless the request asks for a page. */
export const sliceQuery = {
  page: pageNumber.optional(),
  size: pageSize(MAX_PAGE_SIZE).optional(),
};

/** The query of a list of a project's items. `counted` names the counts that each item can have. */
export const listQuery = (counted: string) =>
  z.object({
    projectId: idText.optional(),
    counts: booleanText.optional().openapi({
      description: `true: each item has ${counted}. Counting reads more of the database`,
    }),
    ...sliceQuery,
  });

export interface PageRequest {
  readonly page: number;
  readonly size: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly page: number;
  readonly size: number;
  readonly totalItems: number;
  readonly totalPages: number;
}

/**
 * Returns a page of a list. `items` are the items on the page. `totalItems` is the number of items
 * in the whole list.
 */
export function toPage<T>(items: readonly T[], request: PageRequest, totalItems: number): Page<T> {
  const { page, size } = request;
  return { items, page, size, totalItems, totalPages: Math.ceil(totalItems / size) };
}

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    page: z.int().openapi({ example: 0 }),
    size: z.int().openapi({ example: DEFAULT_PAGE_SIZE }),
    totalItems: z.int().openapi({ example: 1 }),
    totalPages: z.int().openapi({ example: 1 }),
  });

/** The page that a query asks for, of a list that is returned whole without one. */
export interface SliceRequest {
  readonly page?: number | undefined;
  readonly size?: number | undefined;
}

/** Returns which items a query asks for; undefined for all, without `page` and `size` in the query. */
export function sliceOf({ page, size }: SliceRequest) {
  if (page === undefined && size === undefined) return undefined;
  const limit = size ?? DEFAULT_PAGE_SIZE;
  return { limit, offset: (page ?? 0) * limit };
}

/**
 * Returns the page of `all` that the query asks for. Without `page` and `size` in the query,
 * returns all items. Sets the header `X-Total-Count` to the number of all items.
 */
export function sliced<T>(c: Context, all: readonly T[], query: SliceRequest): T[] {
  withTotal(c, all.length);
  const slice = sliceOf(query);
  return slice ? all.slice(slice.offset, slice.offset + slice.limit) : [...all];
}

/** Sets the header with the number of items in the whole list. */
export const withTotal = (c: Context, total: number): void =>
  c.header("X-Total-Count", String(total));
