import type { Translated } from "../translated.ts";
import type { apiKeys as english } from "../en/apiKeys.ts";
export const apiKeys = {} satisfies Translated<typeof english>;
