import { createApiClient } from "./create-client.ts";
import { sendRequest } from "./send-request.ts";

/**
 * The API client for requests without a session: sign-in, token renewal, mail
 * links, and calls with an API key. Sends no access token.
 * Throws: ApiError.
 */
export const publicApi = createApiClient(sendRequest);
