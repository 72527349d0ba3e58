import { Session } from "./api.ts";
import type { Variables } from "./processes.ts";

export interface SignIn {
  readonly email: string;
  readonly password: string;
}

/** The administrator that a set of variables names. */
export const signInOf = (vars: Variables): SignIn => ({
  email: vars["BOOTSTRAP_ADMIN_EMAIL"] ?? "",
  password: vars["BOOTSTRAP_ADMIN_PASSWORD"] ?? "",
});

/**
 * The first sign-in that works. The variables make an administrator only while a database has none,
 * so on a later start the ones that it was made with may be the older ones.
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
