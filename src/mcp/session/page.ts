import { z } from "zod";
import { ApiError } from "../../core/errors/api-error.ts";
import type { PageRequest } from "../../http/paging.ts";
import { firstThatFit, MAX_BYTES } from "./fit.ts";

/** How much of a result the items of a list may take, bytes. The rest is for `next` and `total`. */
const MAX_ITEMS_BYTES = MAX_BYTES - 200;
const MAX_LIMIT = 50;
const DEFAULT_LIMIT = 20;

export const pageInput = {
  limit: z.int().min(1).max(MAX_LIMIT).optional().describe("Default: 20"),
  cursor: z.string().max(40).optional().describe("`next` of the page before"),
};

export const pageOutput = { next: z.string().nullable() };

interface PageInput {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

interface Found<T> {
  readonly items: readonly T[];
  readonly totalItems: number;
}

/** A position in a list that the API returns in pages: the page, its size, and how many items were read. */
const CURSOR = /^(\d{1,7})\.(\d{1,2})\.(\d{1,2})$/;

/**
 * Returns a page of a list, which has fewer items than the limit if they are too large. `read` reads a
 * page of the API. Throws: 400 for a cursor that no page has returned, and the errors of `read`.
 */
export async function readPage<Row, Item>(
  { limit = DEFAULT_LIMIT, cursor }: PageInput,
  read: (page: PageRequest) => Promise<Found<Row>>,
  toItem: (row: Row) => Item,
): Promise<{
  readonly items: readonly Item[];
  readonly total: number;
  readonly next: string | null;
}> {
  const { page, size, skip } =
    cursor === undefined ? { page: 0, size: limit, skip: 0 } : positionOf(cursor);
  const { items: rows, totalItems: total } = await read({ page, size });
  const items = firstThatFit(rows.slice(skip, skip + limit).map(toItem), MAX_ITEMS_BYTES);
  const end = skip + items.length;
  const rest = end < rows.length ? `${page}.${size}.${end}` : null;
  const next = rest ?? ((page + 1) * size < total ? `${page + 1}.${size}.0` : null);
  return { items, total, next };
}

function positionOf(cursor: string) {
  const [page = 0, size = 0, skip = 0] = (CURSOR.exec(cursor) ?? []).slice(1).map(Number);
  if (size < 1 || size > MAX_LIMIT || skip >= size)
    throw new ApiError("BAD_REQUEST", "The cursor is not valid; leave it out to begin again");
  return { page, size, skip };
}
