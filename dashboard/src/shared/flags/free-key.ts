import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/response.ts";

/** The longest key of a flag, in characters. */
const MAX_KEY = 128;

/** Room for `-copy-` and a number behind the key. */
const MAX_STEM = MAX_KEY - 9;

const stemOf = (key: string): string => `${key.slice(0, MAX_STEM)}-copy`;

/** Returns a key for the clone of a flag that is not in use: `key-copy`, or `key-copy-2` and so on. */
export function freeKey(key: string, used: readonly string[]): string {
  const stem = stemOf(key);
  const taken = new Set(used);
  let free = stem;
  for (let n = 2; taken.has(free); n++) free = `${stem}-${n}`;
  return free;
}

/** The query (React Query) for the keys of a project that contain a text, archived flags included. */
export const keysContainingQuery = (projectId: number, search: string) =>
  queryOptions({
    queryKey: ["flags", projectId, "keys", search],
    queryFn: async ({ signal }) => {
      const query = { projectId, search, includeArchived: true, size: 200 };
      const { items } = await dataOf(api.GET("/api/v1/flags", { params: { query }, signal }));
      return items.map(({ key }) => key);
    },
  });

/** The query for the keys that `freeKey` must avoid. */
export const keysToAvoidQuery = (projectId: number, key: string) =>
  keysContainingQuery(projectId, stemOf(key));
