import type { ChangeRequest } from "./types.ts";

export interface Fetched<T> {
  data?: T;
  response: Response;
}

/**
 * The body of a response that is no change request. A direct change returns a change request only
 * with `propose=true`. The endpoints of change requests return nothing else.
 */
export type Direct<T> = [Exclude<T, ChangeRequest>] extends [never] ? T : Exclude<T, ChangeRequest>;

/**
 * Returns the body of a successful response. Does not check for an error response, because the API
 * client already throws an error for it. Without a body, as in a 204, the result is undefined at
 * run time.
 */
export async function dataOf<T>(call: Promise<Fetched<T>>): Promise<Direct<T>> {
  return (await call).data as Direct<T>;
}

/** Returns the change request that a direct change with `propose=true` has opened. */
export async function proposalOf(call: Promise<Fetched<unknown>>): Promise<ChangeRequest> {
  return (await call).data as ChangeRequest;
}

/** A page of so many segments stays below the size that the service returns, with up to 60 KB for each. */
const PAGE_SIZE = 50;

/**
 * Loads all pages of a list endpoint that returns an array. The `X-Total-Count` header contains the
 * total number of items. The callback `page` loads a single page; the first page is 0.
 */
export async function fetchAllPages<T>(
  page: (query: { page: number; size: number }) => Promise<Fetched<T[]>>,
): Promise<T[]> {
  const items: T[] = [];
  for (let number = 0; ; number++) {
    const { data = [], response } = await page({ page: number, size: PAGE_SIZE });
    items.push(...data);
    const total = Number(response.headers.get("X-Total-Count") ?? items.length);
    if (data.length === 0 || items.length >= total) return items;
  }
}

/** Formats the version of an item, or the hash of a change request, as an entity tag for `If-Match`. */
export const etag = (version: number | string): string => `"${version}"`;
