import { z } from "@hono/zod-openapi";
import type { Context } from "hono";

/** Flags and the audit trail have the larger maximum: docs/decisions.md, 1.6. */
export const MAX_PAGE_SIZE = 100;
export const MAX_LONG_PAGE_SIZE = 200;
const DEFAULT_PAGE_SIZE = 20;

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .openapi({ type: "integer", minimum: min, maximum: max });

/** The last page number that cannot overflow an offset of 2^53. */
const pageNumber = wholeNumber(0, 1_000_000_000).openapi({
  description: "The page, the first is 0",
});

const pageSize = (maxSize: number) =>
  wholeNumber(1, maxSize).openapi({
    description: `How many a page has; ${DEFAULT_PAGE_SIZE} unless given`,
  });

export const pageQuery = (maxSize: number) => ({
  page: pageNumber.optional().default(0),
  size: pageSize(maxSize).optional().default(DEFAULT_PAGE_SIZE),
});

/** For lists that answer everything unless a slice is asked for. */
export const sliceQuery = {
  page: pageNumber.optional(),
  size: pageSize(MAX_PAGE_SIZE).optional(),
};

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

/** The requested slice, or the whole list without `page` and `size`. Sets `X-Total-Count`. See docs/decisions.md, 1.6. */
export function sliced<T>(
  c: Context,
  all: readonly T[],
  query: { readonly page?: number | undefined; readonly size?: number | undefined },
): T[] {
  c.header("X-Total-Count", String(all.length));
  if (query.page === undefined && query.size === undefined) return [...all];
  const size = query.size ?? DEFAULT_PAGE_SIZE;
  const start = (query.page ?? 0) * size;
  return all.slice(start, start + size);
}
