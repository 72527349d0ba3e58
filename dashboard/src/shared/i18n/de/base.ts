import { common } from "./common.ts";
import { errors } from "./errors.ts";

/** The German texts that every page needs. */
export const base = { common, errors };
