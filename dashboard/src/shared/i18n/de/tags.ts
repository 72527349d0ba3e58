import type { Translated } from "../translated.ts";
import type { tags as english } from "../en/tags.ts";
export const tags = {} satisfies Translated<typeof english>;
