import type { Messages } from "../en/index.ts";
import * as base from "./base.ts";
import * as pages from "./pages.ts";

export const messages: Messages = { ...base, ...pages };
