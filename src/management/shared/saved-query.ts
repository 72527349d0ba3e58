import { z } from "@hono/zod-openapi";

/**
 * The greatest length of a saved query. A search text and a tag of 200 characters each have up to
 * 1,800 characters in a URL.
 */
const MAX_QUERY = 4000;

/** The schema of the filters that a user has saved. */
export const savedQuery = z
  .string()
  .max(MAX_QUERY, `must have at most ${MAX_QUERY} characters`)
  .openapi({ description: "The URL query of the list of flags, in the client's own words" });
