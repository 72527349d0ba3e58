import type { Translated } from "../translated.ts";
import type { history as english } from "../en/history.ts";
export const history = {} satisfies Translated<typeof english>;
