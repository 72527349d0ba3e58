import { loadTexts } from "../i18n/i18n.ts";

/** Loads the styles and the texts that every page needs, except the list of flags. */
export async function loadControls(): Promise<void> {
  await Promise.all([import("./controls.css"), loadTexts("pages")]);
}
