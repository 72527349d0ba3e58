const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

/** Pairs of a language code and the language's own name, such as `de` and `Deutsch`. */
export const LANGUAGE_NAMES = Object.entries(LANGUAGES) as readonly [Language, string][];

const KEY = "feature-flags.language";

/** English if the dashboard has no translation for the locale's language. */
export function languageOf(locale: string | undefined): Language {
  const [language = ""] = (locale ?? "").toLowerCase().split("-");
  return language === "de" ? "de" : "en";
}

/**
 * Returns the locale for dates, times and numbers in a language of the dashboard: the locale of the
 * browser if it has the same language, otherwise the language with the region of the browser, such
 * as `en-DE`.
 */
export function localeOf(language: string, browser = navigator.language): string {
  const { language: preferred, region } = new Intl.Locale(browser);
  if (preferred === language) return browser;
  return region === undefined ? language : `${language}-${region}`;
}

/** Before sign-in: the language last used in this browser, otherwise the browser's own. */
export const initialLanguage = (): Language =>
  languageOf(localStorage.getItem(KEY) ?? navigator.language);

export const storeLanguage = (language: Language): void => localStorage.setItem(KEY, language);
