import url from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2";
import { pageShown } from "../page-shown.ts";

/** The key in localStorage under which the address of the font is kept once it has loaded. */
const KEY = "feature-flags.font";

/** The letters of western languages. Other letters come from the fonts of the system. */
const LETTERS =
  "U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, " +
  "U+0329, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD";

/**
 * Loads the font of the dashboard: at once if this browser has loaded it before, because then it
 * comes from the cache. Otherwise after the first page is shown, so that the page does not wait for
 * it on a slow network. Until then the page uses the font "Inter Fallback" of styles.css.
 */
export async function loadFont(): Promise<void> {
  if (localStorage.getItem(KEY) !== url) await pageShown;
  const inter = new FontFace("Inter", `url(${url}) format("woff2")`, {
    weight: "100 900",
    unicodeRange: LETTERS,
  });
  document.fonts.add(inter);
  await inter.load();
  localStorage.setItem(KEY, url);
}
