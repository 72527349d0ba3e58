import { shell } from "./shell.ts";
import { flags } from "./flags.ts";

/** The German texts of the layout around every page and of the list of flags. */
export const list = { shell, flags };
