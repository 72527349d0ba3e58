const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

/** Language codes with the name of the language in that language. */
export const LANGUAGE_NAMES = Object.entries(LANGUAGES) as readonly [Language, string][];

const KEY = "feature-flags.language";

/** The language of a locale such as `de-AT`; English for unsupported languages. */
export function languageOf(locale: string | undefined): Language {
  const [language = ""] = (locale ?? "").toLowerCase().split("-");
  return language === "de" ? "de" : "en";
}

/**
 * The language before sign-in: the last one used in this browser, else the browser's preference.
 */
export const firstLanguage = (): Language =>
  languageOf(localStorage.getItem(KEY) ?? navigator.language);

export const rememberLanguage = (language: Language): void => localStorage.setItem(KEY, language);
