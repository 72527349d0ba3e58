import { secretsIn } from "../core/logging/secret-names.ts";

/** The headers that contain free text of the caller. */
const FREE_HEADERS = ["Authorization", "Cookie", "User-Agent", "X-Change-Reason"];

/** What `secretsOfRequest` needs from a Hono request. */
export interface SecretBearingRequest {
  readonly raw: Request;
  valid(target: never): unknown;
}

/**
 * Returns values of a request that may be secret and cannot be recognised by their form: free
 * headers, the query and the sensitive fields of the validated body. An error may repeat them, so
 * the log masks them.
 */
export function secretsOfRequest(request: SecretBearingRequest): readonly string[] {
  const { headers, url } = request.raw;
  return [
    ...FREE_HEADERS.flatMap((name) => headers.get(name) ?? []),
    ...new URL(url).searchParams.values(),
    ...secretsIn(request.valid("json" as never)),
  ];
}
