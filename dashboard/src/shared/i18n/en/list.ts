import { shell } from "./shell.ts";
import { flags } from "./flags.ts";

/** The English texts of the layout around every page and of the list of flags. */
export const list = { shell, flags };
