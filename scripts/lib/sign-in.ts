import { Session } from "./api.ts";
import type { Variables } from "./processes.ts";

export interface SignIn {
  readonly email: string;
  readonly password: string;
}

/** Returns the e-mail and the password of the administrator that the Worker's variables set. */
export const signInOf = (vars: Variables): SignIn => ({
  email: vars["BOOTSTRAP_ADMIN_EMAIL"] ?? "",
  password: vars["BOOTSTRAP_ADMIN_PASSWORD"] ?? "",
});

/**
 * Tries several e-mails and passwords. Returns the first pair that works, with its session. The
 * service creates the administrator only once, so later changes of the variables do not change the
 * administrator's password.
 */
export async function trySignIns(
  address: string,
  candidates: readonly SignIn[],
): Promise<{ readonly session: Session; readonly signIn: SignIn } | undefined> {
  const [signIn, ...others] = candidates;
  if (!signIn) return undefined;
  const session = await Session.open(address, signIn);
  if (session) return { session, signIn };
  const isOther = ({ email, password }: SignIn) =>
    email !== signIn.email || password !== signIn.password;
  return trySignIns(address, others.filter(isOther));
}
