import { secretsIn } from "../core/logging/secret-names.ts";

/** Headers with text of the caller's choice. */
const FREE_HEADERS = ["Authorization", "Cookie", "User-Agent", "X-Change-Reason"];

/** The part of a Hono request in which its secrets are. */
export interface SecretBearingRequest {
  readonly raw: Request;
  valid(target: never): unknown;
}

/**
 * Values of a request that may be secret and have no recognisable form: free headers, the query and
 * the sensitive fields of the validated body. An error may repeat them, so the log masks them.
 */
export function secretsOfRequest(request: SecretBearingRequest): readonly string[] {
  const { headers, url } = request.raw;
  return [
    ...FREE_HEADERS.flatMap((name) => headers.get(name) ?? []),
    ...new URL(url).searchParams.values(),
    ...secretsIn(request.valid("json" as never)),
  ];
}
