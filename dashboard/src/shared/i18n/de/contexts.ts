import type { Translated } from "../translated.ts";
import type { contexts as english } from "../en/contexts.ts";
export const contexts = {} satisfies Translated<typeof english>;
