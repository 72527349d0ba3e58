import { createInstance, type i18n as I18n } from "i18next";
import { initReactI18next } from "react-i18next";
import type { Messages } from "./en/index.ts";
import { type Language, rememberLanguage } from "./language.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: Messages };
  }
}

/** A language is loaded when it is first used. */
const CATALOGUES: Readonly<Record<Language, () => Promise<{ messages: Messages }>>> = {
  en: () => import("./en/index.ts"),
  de: () => import("./de/index.ts"),
};

/** Ready to translate into that language. */
export async function createI18n(language: Language): Promise<I18n> {
  const i18n = createInstance();
  i18n.use(initReactI18next);
  await i18n.init({
    resources: {},
    lng: language,
    fallbackLng: false,
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  await switchLanguage(i18n, language);
  return i18n;
}

let wanted: Language | undefined;

/** Loads the catalogue, then has every text in that language, unless another was chosen meanwhile. */
export async function switchLanguage(i18n: I18n, language: Language): Promise<void> {
  wanted = language;
  const { messages } = await CATALOGUES[language]();
  if (wanted !== language) return;
  i18n.addResourceBundle(language, "translation", messages, true, true);
  await i18n.changeLanguage(language);
  document.documentElement.lang = language;
  rememberLanguage(language);
}
