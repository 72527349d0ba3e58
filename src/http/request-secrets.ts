import { secretsIn } from "../core/logging/secret-names.ts";

/**
 * The headers whose values the log masks. They contain secrets, or free text into which a caller
 * may have put a secret.
 */
const FREE_HEADERS = ["Authorization", "X-API-Key", "Cookie", "User-Agent", "X-Change-Reason"];

/** The part of a Hono request that `secretsOfRequest` reads. */
export interface SecretBearingRequest {
  readonly raw: Request;
  valid(target: never): unknown;
}

/**
 * Returns the values of a request that may be secret although they do not look like secrets: the
 * headers `FREE_HEADERS`, the values in the query, and the sensitive fields of the validated body.
 * An error may repeat these values, so the log masks them.
 */
export function secretsOfRequest(request: SecretBearingRequest): readonly string[] {
  const { headers, url } = request.raw;
  return [
    ...FREE_HEADERS.flatMap((name) => headers.get(name) ?? []),
    ...new URL(url).searchParams.values(),
    ...secretsIn(request.valid("json" as never)),
  ];
}
