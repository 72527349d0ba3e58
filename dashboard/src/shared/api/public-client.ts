import createClient from "openapi-fetch";
import { sendRequest } from "./send-request.ts";
import type { paths } from "./schema.d.ts";

/**
 * The client for endpoints that need no session: sign-in, token renewal and mail links.
 * Throws: ApiError.
 */
export const publicApi = createClient<paths>({ fetch: sendRequest });
