import createClient from "openapi-fetch";
import type { paths } from "./schema.d.ts";
import { sendRequest } from "./send-request.ts";

/**
 * The API client (openapi-fetch) for requests without a session: sign-in, token renewal, mail
 * links, and calls with an API key. Sends no access token.
 * Throws: ApiError.
 */
export const publicApi = createClient<paths>({ fetch: sendRequest });
