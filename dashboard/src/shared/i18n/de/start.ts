import type { Translated } from "../translated.ts";
import type { start as english } from "../en/start.ts";
export const start = {} satisfies Translated<typeof english>;
