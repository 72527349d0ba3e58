interface Fetched<T> {
  data?: T;
  response: Response;
}

/** The body of an answer. The client throws for everything but good answers, so there is one. */
export async function dataOf<T>(call: Promise<Fetched<T>>): Promise<T> {
  return (await call).data as T;
}

const PAGE_SIZE = 100;

/** All pages of a list whose answer is an array; `page` asks for one of them. */
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

/** For `If-Match`: the entity tag of what has this version. */
export const etag = (version: number): string => `"${version}"`;
