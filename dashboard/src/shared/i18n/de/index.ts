import { base } from "./base.ts";
import { list } from "./list.ts";
import { pages } from "./pages.ts";
import { signedOut } from "./signed-out.ts";
import type { Messages } from "../en/index.ts";

export const messages: Messages = { ...base, ...signedOut, ...list, ...pages };
