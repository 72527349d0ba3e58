import { secretsIn } from "../core/logging/mask.ts";

/** What a log tells of a failure. */
export interface ErrorDescription {
  /** The message, and those of its causes. */
  readonly message: string;
  readonly stack: string | undefined;
  /** What was bound to the statement that failed: the database may repeat it. */
  readonly values: readonly string[];
}

/** An error may be its own cause. */
const MAX_CAUSES = 5;

export function describeError(error: unknown): ErrorDescription {
  const chain = [error];
  for (let at = causeOf(error); at !== undefined && chain.length <= MAX_CAUSES; at = causeOf(at))
    chain.push(at);
  const stacks = chain.flatMap((link) => (link instanceof Error && link.stack) || []);
  return {
    message: chain.map(wordsOf).join("; caused by: "),
    stack: stacks.length === 0 ? undefined : stacks.join("\nCaused by: "),
    values: chain.flatMap(boundTo),
  };
}

/** What was thrown as an error, whatever it was. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(`no error was thrown, but: ${wordsOf(thrown)}`);

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

/** drizzle's messages end with a list of what was bound. */
const BOUND = "\nparams: ";

function wordsOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message.split(BOUND, 1)[0] ?? "";
  try {
    return typeof thrown === "string" ? thrown : (JSON.stringify(thrown) ?? typeof thrown);
  } catch {
    return typeof thrown;
  }
}

/** drizzle's errors have `params`, and those of `commit`. */
function boundTo(error: unknown): readonly string[] {
  const params: unknown = error instanceof Error && "params" in error ? error.params : [];
  return Array.isArray(params) ? params.filter((value) => typeof value === "string") : [];
}

/** The headers that callers fill with words of their own. */
const OWN_WORDS = ["Authorization", "Cookie", "User-Agent", "X-Change-Reason"];

/** The part of a Hono request that tells what came with it. */
export interface ReadRequest {
  readonly raw: Request;
  valid(target: never): unknown;
}

/** What a request brought that may be secret, and that no form tells: for the log of its failure. */
export function callerTexts(request: ReadRequest): readonly string[] {
  const { headers, url } = request.raw;
  return [
    ...OWN_WORDS.flatMap((name) => headers.get(name) ?? []),
    ...new URL(url).searchParams.values(),
    ...secretsIn(request.valid("json" as never)),
  ];
}
