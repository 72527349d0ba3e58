import type { Translated } from "../translated.ts";
import type { flag as english } from "../en/flag.ts";
export const flag = {} satisfies Translated<typeof english>;
