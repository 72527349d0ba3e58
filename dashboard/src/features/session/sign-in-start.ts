import type { SignOnProblem } from "../../shared/session/sign-on.ts";
import type { SecondStep } from "./sign-in.ts";

/** The key of a text of `session`. */
export type Notice = "endedNotice" | "passwordChanged" | "tooLong" | `problems.${SignOnProblem}`;

/** What the sign-in page shows first. */
export interface SignInStart {
  /** The message above the form, for example after a password reset. */
  readonly notice?: Notice;
  /** The second step of the sign-in, if the user has completed the first one. */
  readonly secondStep?: SecondStep;
}
