import { useSyncExternalStore } from "react";
import { currentTranslation, subscribe } from "./i18n.ts";
import type { Translation } from "./translate.ts";

/** Returns the translation of the page's language. Another language renders the component again. */
export const useTranslation = (): Translation =>
  useSyncExternalStore(subscribe, currentTranslation);
