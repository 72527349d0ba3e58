import type { Messages } from "../en/index.ts";
import { base } from "./base.ts";
import { pages } from "./pages.ts";

export const messages: Messages = { ...base, ...pages };
