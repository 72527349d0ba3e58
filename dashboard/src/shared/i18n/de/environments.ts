import type { Translated } from "../translated.ts";
import type { environments as english } from "../en/environments.ts";
export const environments = {} satisfies Translated<typeof english>;
