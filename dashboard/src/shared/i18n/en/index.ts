import { base } from "./base.ts";
import { list } from "./list.ts";
import { pages } from "./pages.ts";
import { signedOut } from "./signed-out.ts";

/** All English texts of the dashboard, grouped by feature. */
export const messages = { ...base, ...signedOut, ...list, ...pages };

type Texts<T> = { [K in keyof T]: T[K] extends string ? string : Texts<T[K]> };

export type Messages = { [N in keyof typeof messages]: Texts<(typeof messages)[N]> };
