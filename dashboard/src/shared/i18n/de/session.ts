import type { Translated } from "../translated.ts";
import type { session as english } from "../en/session.ts";
export const session = {} satisfies Translated<typeof english>;
