import type { Translated } from "../translated.ts";
import type { constraints as english } from "../en/constraints.ts";
export const constraints = {} satisfies Translated<typeof english>;
