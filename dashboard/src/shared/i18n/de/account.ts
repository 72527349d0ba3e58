import type { Translated } from "../translated.ts";
import type { account as english } from "../en/account.ts";
export const account = {} satisfies Translated<typeof english>;
