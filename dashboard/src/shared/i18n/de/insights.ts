import type { Translated } from "../translated.ts";
import type { insights as english } from "../en/insights.ts";
export const insights = {} satisfies Translated<typeof english>;
