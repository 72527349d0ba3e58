import type { Messages } from "./en/index.ts";
import { type Language, localeOf, storeLanguage } from "./language.ts";
import { createTranslation, type Translation } from "./translate.ts";

const translations = new Map<Language, Translation>();

/** The parts of the texts that this tab uses. */
const used = new Set<TextPart>(["base"]);

let shown: Language = "en";
let requested: Language = shown;
const listeners = new Set<() => void>();

/** Calls `listener` after every switch to another language. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const currentTranslation = (): Translation => translationOf(shown);

function translationOf(language: Language): Translation {
  const known = translations.get(language) ?? createTranslation(language, localeOf(language));
  translations.set(language, known);
  return known;
}

/** Loads a part of the texts in the language of the page. */
export async function loadTexts(part: TextPart): Promise<void> {
  used.add(part);
  await Promise.all([add(shown, part), add(requested, part)]);
}

/** Loads a part of the texts. The browser loads each file only once. */
async function add(language: Language, part: TextPart): Promise<void> {
  translationOf(language).add(await CATALOGUES[language][part]());
}

/**
 * Loads the texts of `language`, shows the page in this language, and stores the choice in the
 * browser. Does nothing if another language was requested while the texts loaded.
 */
export async function switchLanguage(language: Language): Promise<void> {
  requested = language;
  await Promise.all([...used].map((part) => add(language, part)));
  if (requested !== language) return;
  shown = language;
  document.documentElement.lang = language;
  storeLanguage(language);
  for (const listener of listeners) listener();
}

/**
 * The parts in which the texts load: `base` with those of the pages before sign-in, of the layout and
 * of the list of flags, and `pages` with those of the components made by `lazyPage` and `lazyPart`.
 */
type TextPart = "base" | "pages";

/** For each language and part, a function that loads the texts. */
const CATALOGUES: Record<Language, Record<TextPart, () => Promise<Partial<Messages>>>> = {
  en: {
    base: () => import("./en/base.ts"),
    pages: () => import("./en/pages.ts"),
  },
  de: {
    base: () => import("./de/base.ts"),
    pages: () => import("./de/pages.ts"),
  },
};
