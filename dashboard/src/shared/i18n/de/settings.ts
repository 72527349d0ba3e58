import type { Translated } from "../translated.ts";
import type { settings as english } from "../en/settings.ts";
export const settings = {} satisfies Translated<typeof english>;
