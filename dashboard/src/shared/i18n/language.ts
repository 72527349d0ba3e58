const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

/** Pairs of a language code and the language's own name, such as `de` and `Deutsch`. */
export const LANGUAGE_NAMES = Object.entries(LANGUAGES) as readonly [Language, string][];

const KEY = "feature-flags.language";

/**
 * Returns the language of a locale such as `de-AT`. English if the dashboard has no translation for
 * the locale's language.
 */
export function languageOf(locale: string | undefined): Language {
  const [language = ""] = (locale ?? "").toLowerCase().split("-");
  return language === "de" ? "de" : "en";
}

/**
 * Returns the language of the dashboard before sign-in: the language last used in this browser,
 * otherwise the browser's preferred language.
 */
export const initialLanguage = (): Language =>
  languageOf(localStorage.getItem(KEY) ?? navigator.language);

export const storeLanguage = (language: Language): void => localStorage.setItem(KEY, language);
