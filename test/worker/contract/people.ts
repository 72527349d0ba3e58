import { join, person } from "../support/people.ts";
import { newServiceAccount, newToken } from "../support/tokens.ts";
import { ROLES_OF, SCOPES_OF } from "./callers.ts";

/** Inserts a user with the roles of a caller in the organisation and in these projects. */
export async function personAs(caller: keyof typeof ROLES_OF, projectIds: readonly number[]) {
  const { role, there } = ROLES_OF[caller];
  const found = await person(role);
  if (there) await join(found.id, there, projectIds);
  return found;
}

/** Inserts a token with the scopes of a caller. `SERVICE` is a service account of the project. */
export async function tokenAs(caller: keyof typeof SCOPES_OF, projectId: number): Promise<string> {
  const owner =
    caller === "SERVICE"
      ? { serviceAccountId: await newServiceAccount("ADMIN", projectId) }
      : { userId: (await person("ADMIN")).id };
  return (await newToken({ ...owner, scopes: SCOPES_OF[caller] })).token;
}
