import type { Translated } from "../translated.ts";
import type { segments as english } from "../en/segments.ts";
export const segments = {} satisfies Translated<typeof english>;
