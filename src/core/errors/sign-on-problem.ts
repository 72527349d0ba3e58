/** Why a sign-in at an identity provider did not succeed. The dashboard explains the words. */
export const PROBLEMS = [
  "denied",
  "expired",
  "not-invited",
  "not-verified",
  "domain",
  "disabled",
  "link-first",
  "conflict",
  "no-role",
  "quota",
  "provider",
  "unreachable",
  "misconfigured",
] as const;

export type Problem = (typeof PROBLEMS)[number];

/**
 * The error of a sign-in that does not succeed. Its message is for the log. `shown` is the word for the
 * public: for the fault of a provider, it can say more than the problem.
 */
export class SignOnError extends Error {
  override readonly name = "SignOnError";
  readonly problem: Problem;
  readonly shown: Problem;

  constructor(problem: Problem, message: string = problem, shown: Problem = problem) {
    super(message);
    this.problem = problem;
    this.shown = shown;
  }
}

/**
 * The error for a provider that does not respond (`unreachable`), that this service or the provider is
 * not set up for (`misconfigured`), or whose response is not valid.
 */
export const providerFault = (
  message: string,
  shown?: "unreachable" | "misconfigured",
): SignOnError => new SignOnError("provider", message, shown);
