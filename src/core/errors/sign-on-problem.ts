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
] as const;

export type Problem = (typeof PROBLEMS)[number];

/** The error of a sign-in that does not succeed. Its message is for the log. */
export class SignOnError extends Error {
  override readonly name = "SignOnError";
  readonly problem: Problem;

  constructor(problem: Problem, message: string = problem) {
    super(message);
    this.problem = problem;
  }
}

/** The error for a provider that does not respond, or whose response is not valid. */
export const providerFault = (message: string): SignOnError => new SignOnError("provider", message);
