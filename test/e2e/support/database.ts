import { request } from "./api.ts";

/**
 * The API of the explorer in `wrangler dev`. Through this API the service's own process writes. A
 * second process, such as `wrangler d1 execute`, would lock the database, and the service would
 * answer requests of other tests with errors.
 */
const QUERY = "/cdn-cgi/local/explorer/api/d1/database/DB/raw";

/** Runs SQL, for test data that the API cannot create or would take minutes to create. */
export const execute = (sql: string): Promise<unknown> => request("POST", QUERY, { body: { sql } });
