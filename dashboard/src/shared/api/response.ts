interface Fetched<T> {
  data?: T;
  response: Response;
}

/**
 * Returns the body of a successful response. `data` is always set, because the client throws for
 * every other response.
 */
export async function dataOf<T>(call: Promise<Fetched<T>>): Promise<T> {
  return (await call).data as T;
}

const PAGE_SIZE = 100;

/**
 * Loads all pages of a list endpoint whose response is an array. `page` loads a single page; the
 * first page is 0.
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

/** Formats a version as an entity tag for the `If-Match` header. */
export const etag = (version: number): string => `"${version}"`;
