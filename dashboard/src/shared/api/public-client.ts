import createClient from "openapi-fetch";
import { sendRequest } from "./send-request.ts";
import type { paths } from "./schema.d.ts";

/** The part of the API that needs no session: signing in, renewing, links of mails. */
export const publicApi = createClient<paths>({ fetch: sendRequest });
