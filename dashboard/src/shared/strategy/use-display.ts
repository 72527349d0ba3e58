import { useTranslation } from "react-i18next";
import { useFormat } from "../i18n/use-format.ts";
import type { Display } from "./fields.tsx";

/** Returns the functions that display strategy fields in the language of the page. */
export function useDisplay(segmentName: (id: number) => string): Display {
  const { t } = useTranslation();
  const { percent } = useFormat();
  return { t, percent, segmentName };
}
