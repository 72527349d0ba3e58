interface Fetched<T> {
  data?: T;
  response: Response;
}

/**
 * Returns the body of a successful response. The client throws for every error response, so `data`
 * is always set.
 */
export async function dataOf<T>(call: Promise<Fetched<T>>): Promise<T> {
  return (await call).data as T;
}

const PAGE_SIZE = 100;

/**
 * Fetches all pages of a list endpoint that returns an array. `page` fetches one page; pages start
 * at 0.
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

/** The entity tag of a version, for `If-Match`. */
export const etag = (version: number): string => `"${version}"`;
