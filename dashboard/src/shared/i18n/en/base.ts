import { common } from "./common.ts";
import { errors } from "./errors.ts";

/** The English texts that every page needs. */
export const base = { common, errors };
