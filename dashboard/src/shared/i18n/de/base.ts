/** The German texts of the pages before sign-in, of the layout and of the list of flags. */
export * from "./common.ts";
export * from "./session.ts";
export * from "./shell.ts";
export * from "./flags.ts";
