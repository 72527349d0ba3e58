import { type Api, request, type Schemas } from "./api.ts";
import { linkMailedTo } from "./mail.ts";

/** The credentials of a test user. */
export interface Person {
  readonly email: string;
  readonly password: string;
}

export type Role = Schemas["User"]["role"];

export const ADMIN: Person = { email: "admin@example.com", password: "correct-horse-battery" };

/** Invites a user, accepts the invitation, and returns the user's credentials. */
export async function join(api: Api, role: Role): Promise<Person> {
  const name = `${role.toLowerCase()}-${crypto.randomUUID().slice(0, 8)}`;
  const person = { email: `${name}@example.com`, password: "battery-staple-horse" };
  await api.post("/api/v1/users/invite", { email: person.email, role, name });
  const token = new URLSearchParams(
    (await linkMailedTo(person.email, "/accept-invite")).hash.slice(1),
  ).get("token");
  const body = { token, password: person.password };
  await request("POST", "/api/v1/auth/accept-invite", { body });
  return person;
}
