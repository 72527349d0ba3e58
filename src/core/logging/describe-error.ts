/** The description of a caught value for the log. The value may be an `Error` or anything else. */
export interface ErrorDescription {
  /** The message of the error, followed by the messages of its causes. */
  readonly message: string;
  /** The stacks of the error and of its causes; undefined when there are none. */
  readonly stack: string | undefined;
  /**
   * The texts bound to the failed SQL statement. The log masks them, because the database may
   * repeat them in its message.
   */
  readonly boundValues: readonly string[];
}

/** The most causes of an error to follow, because an error may be its own cause. */
const MAX_CAUSES = 5;

export function describeError(thrown: unknown): ErrorDescription {
  const chain = [thrown];
  for (let at = causeOf(thrown); at !== undefined && chain.length <= MAX_CAUSES; at = causeOf(at))
    chain.push(at);
  const stacks = chain.flatMap((link) => (link instanceof Error && link.stack) || []);
  return {
    message: chain.map(messageOf).join("; caused by: "),
    stack: stacks.length === 0 ? undefined : stacks.join("\nCaused by: "),
    boundValues: chain.flatMap(paramsOf),
  };
}

/** Returns the thrown value if it is an `Error`, otherwise an `Error` that describes it. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error
    ? thrown
    : new Error(`a value that is not an Error was thrown: ${messageOf(thrown)}`);

const causeOf = (thrown: unknown): unknown => (thrown instanceof Error ? thrown.cause : undefined);

/**
 * The text before the bound values at the end of drizzle's error messages. `messageOf` cuts the
 * values off, because they may be secret.
 */
const PARAMS = "\nparams: ";

function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message.split(PARAMS, 1)[0] ?? "";
  try {
    return typeof thrown === "string" ? thrown : (JSON.stringify(thrown) ?? typeof thrown);
  } catch {
    return typeof thrown;
  }
}

/**
 * Returns the bound texts of an error. The errors of drizzle and of `commit` have them in the field
 * `params`.
 */
function paramsOf(thrown: unknown): readonly string[] {
  const params: unknown = thrown instanceof Error && "params" in thrown ? thrown.params : [];
  return Array.isArray(params) ? params.filter((value) => typeof value === "string") : [];
}
