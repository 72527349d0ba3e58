import type { Messages } from "./en/index.ts";
import type { Language } from "./language.ts";

/**
 * The parts in which the texts load: `base` with those of the pages before sign-in, of the layout and
 * of the list of flags, and `pages` with those of the components made by `lazyPage` and `lazyPart`.
 */
export type TextPart = "base" | "pages";

/** For each language and part, a function that loads the texts. */
export const CATALOGUES: Record<Language, Record<TextPart, () => Promise<Partial<Messages>>>> = {
  en: {
    base: async () => (await import("./en/base.ts")).base,
    pages: async () => (await import("./en/pages.ts")).pages,
  },
  de: {
    base: async () => (await import("./de/base.ts")).base,
    pages: async () => (await import("./de/pages.ts")).pages,
  },
};
