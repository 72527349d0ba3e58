import { common } from "./common.ts";
import { errors } from "./errors.ts";
import { session } from "./session.ts";
import { shell } from "./shell.ts";
import { flags } from "./flags.ts";
import { columns } from "./columns.ts";
import { recentFlags } from "./recentFlags.ts";

/** The German texts of the pages before sign-in, of the layout and of the list of flags. */
export const base = {
  common,
  errors,
  session,
  shell,
  flags,
  columns,
  recentFlags,
};
