import type { Translated } from "../translated.ts";
import type { playground as english } from "../en/playground.ts";
export const playground = {} satisfies Translated<typeof english>;
