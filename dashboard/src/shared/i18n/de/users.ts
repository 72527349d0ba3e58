import type { Translated } from "../translated.ts";
import type { users as english } from "../en/users.ts";
export const users = {} satisfies Translated<typeof english>;
