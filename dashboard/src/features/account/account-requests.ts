import { api } from "../../shared/api/client.ts";

/** Throws: ApiError 409 if the user could not sign in without the account. */
export const unlinkAccount = (identityId: string) =>
  api.DELETE("/api/v1/auth/me/identities/{identityId}", { params: { path: { identityId } } });
