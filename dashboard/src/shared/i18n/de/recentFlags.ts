import type { Translated } from "../translated.ts";
import type { recentFlags as english } from "../en/recentFlags.ts";

export const recentFlags = {
  title: "Zuletzt geöffnet",
} as const satisfies Translated<typeof english>;
