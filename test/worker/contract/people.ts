import { join, person } from "../support/people.ts";
import { ROLES_OF } from "./callers.ts";

/** Inserts a user with the roles of a caller in the organisation and in these projects. */
export async function personAs(caller: keyof typeof ROLES_OF, projectIds: readonly number[]) {
  const { role, there } = ROLES_OF[caller];
  const found = await person(role);
  if (there) await join(found.id, there, projectIds);
  return found;
}
