import { Session } from "../lib/api.ts";
import { SECRETS } from "./runtime.ts";

/** Creates a project, and a token that may change it. Returns the token. `url`: a new service. */
export async function newAgentToken(url: string): Promise<string> {
  const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: currentPassword } = SECRETS;
  const session = await Session.open(url, { email, password: currentPassword });
  if (session === undefined) throw new Error("the sign-in failed");
  await session.post("/projects", { name: "Shop" });
  const asked = { name: "agent", scopes: ["write"], currentPassword };
  return (await session.post<{ token: string }>("/tokens", asked)).token;
}
