import { send } from "../../shared/api/request.ts";

/** Throws: ApiError 409 if the user could not sign in without the account. */
export const unlinkAccount = (identityId: string) =>
  send("delete", "/api/v1/auth/me/identities/{identityId}", { path: { identityId } });
