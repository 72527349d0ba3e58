const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

/** Each with its own name, to choose one. */
export const LANGUAGE_NAMES = Object.entries(LANGUAGES) as readonly [Language, string][];

const KEY = "feature-flags.language";

/** The language for a locale such as `de-AT`: English where there is no better one. */
export function languageOf(locale: string | undefined): Language {
  const [language = ""] = (locale ?? "").toLowerCase().split("-");
  return language === "de" ? "de" : "en";
}

/** Before anybody is signed in: what was last used here, else what the browser prefers. */
export const firstLanguage = (): Language =>
  languageOf(localStorage.getItem(KEY) ?? navigator.language);

export const rememberLanguage = (language: Language): void => localStorage.setItem(KEY, language);
