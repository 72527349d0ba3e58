import { read } from "../api/request.ts";

/**
 * The query (React Query) for the second factor of the signed-in user: whether it is on, and until
 * when the user must set it up.
 */
export const mfaQuery = read("/api/v1/auth/mfa");
