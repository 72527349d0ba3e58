import { common } from "./common.ts";
import { errors } from "./errors.ts";
import { session } from "./session.ts";

/** The English texts of the pages before sign-in. They load first. */
export const signedOut = { common, errors, session };
