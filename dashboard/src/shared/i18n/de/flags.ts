import type { Translated } from "../translated.ts";
import type { flags as english } from "../en/flags.ts";
export const flags = {} satisfies Translated<typeof english>;
