import * as base from "./base.ts";
import * as pages from "./pages.ts";

/** All English texts of the dashboard, grouped by feature. */
export const messages = { ...base, ...pages };

type Texts<T> = { [K in keyof T]: T[K] extends string ? string : Texts<T[K]> };

export type Messages = { [N in keyof typeof messages]: Texts<(typeof messages)[N]> };
