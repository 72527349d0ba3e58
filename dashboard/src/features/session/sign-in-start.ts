import type { SignOnProblem } from "../../shared/session/sign-on.ts";

/** The key of a text of `session`. */
export type Notice = "endedNotice" | "passwordChanged" | "tooLong" | `problems.${SignOnProblem}`;

/** What the sign-in page shows first. */
export interface SignInStart {
  /** The message above the form, for example after a password reset. */
  readonly notice?: Notice;
  /** The token for the code of the second factor, if the user has completed the first step. */
  readonly mfaToken?: string;
}
