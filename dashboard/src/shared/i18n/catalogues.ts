import type { Messages } from "./en/index.ts";
import type { Language } from "./language.ts";

/**
 * The parts in which the texts load: those of every page, of the pages before sign-in, of the shell
 * and the list of flags, and of everything else.
 */
export type TextPart = "base" | "signedOut" | "list" | "pages";

/** For each part and language, a function that loads the texts. */
const CATALOGUES = {
  base: {
    en: async () => (await import("./en/base.ts")).base,
    de: async () => (await import("./de/base.ts")).base,
  },
  signedOut: {
    en: async () => (await import("./en/signed-out.ts")).signedOut,
    de: async () => (await import("./de/signed-out.ts")).signedOut,
  },
  list: {
    en: async () => (await import("./en/list.ts")).list,
    de: async () => (await import("./de/list.ts")).list,
  },
  pages: {
    en: async () => (await import("./en/pages.ts")).pages,
    de: async () => (await import("./de/pages.ts")).pages,
  },
} as const satisfies Record<TextPart, Record<Language, () => Promise<Partial<Messages>>>>;

export const fetchTexts = (part: TextPart, language: Language): Promise<Partial<Messages>> =>
  CATALOGUES[part][language]();
