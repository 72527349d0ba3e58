import { session } from "./session.ts";

/** The German texts of the pages before sign-in. */
export const signedOut = { session };
