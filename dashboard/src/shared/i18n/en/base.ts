/** The English texts of the pages before sign-in, of the layout and of the list of flags. */
export { common } from "./common.ts";
export { errors } from "./errors.ts";
export { session } from "./session.ts";
export { shell } from "./shell.ts";
export { flags } from "./flags.ts";
export { columns } from "./columns.ts";
export { recentFlags } from "./recentFlags.ts";
