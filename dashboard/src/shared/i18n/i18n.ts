import { fetchTexts, type TextPart } from "./catalogues.ts";
import { type Language, localeOf, storeLanguage } from "./language.ts";
import { createTranslation, type Translation } from "./translate.ts";

const translations = new Map<Language, Translation>();

/** The parts of the texts that this tab uses, with the promise of their first load. */
const used = new Map<TextPart, Promise<void>>();

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

/** Loads the texts that every page needs, and shows the page in `language`. */
export function startTexts(language: Language): Promise<void> {
  used.set("base", Promise.resolve());
  return switchLanguage(language);
}

/**
 * Loads a part of the texts in the language of the page. Returns the same promise every time, unless
 * the part did not load.
 */
export function loadTexts(part: TextPart): Promise<void> {
  const known = used.get(part);
  if (known) return known;
  const loading = add(part, new Set([shown, requested]));
  used.set(part, loading);
  loading.catch(() => used.delete(part));
  return loading;
}

async function add(part: TextPart, languages: Iterable<Language>): Promise<void> {
  await Promise.all(
    [...languages].map(async (language) =>
      translationOf(language).add(await fetchTexts(part, language)),
    ),
  );
}

/**
 * Loads the translations of `language`, shows the page in this language, and stores the choice in
 * the browser. Does nothing if another language was requested while the translations loaded.
 */
export async function switchLanguage(language: Language): Promise<void> {
  requested = language;
  await Promise.all([...used.keys()].map((part) => add(part, [language])));
  if (requested !== language) return;
  shown = language;
  document.documentElement.lang = language;
  storeLanguage(language);
  for (const listener of listeners) listener();
}
