import { session } from "./session.ts";

/** The English texts of the pages before sign-in. */
export const signedOut = { session };
