import type { Messages } from "../en/index.ts";

export const clients: Messages["clients"] = {
  label: "Wer das Flag bekommt",
  newFlags: "Wer neue Flags bekommt",
  all: "Server und Browser",
  server: "Nur Server",
  means: {
    all: "Alle, die die Webseite oder App öffnen, können den Schlüssel und den Wert des Flags sehen.",
    server:
      "Für Browser und Apps gibt es das Flag nicht: Sie sehen weder seinen Schlüssel noch seine Werte.",
  },
  publishTitle: "„{{flag}}“ den Browsern zeigen?",
  publishText:
    "Der Schlüssel „{{flag}}“, die Werte, die das Flag liefert, und wer sie bekommt, werden öffentlich in: {{environments}}",
  publish: "{{flag}} veröffentlichen",
  hideTitle: "„{{flag}}“ vor Browsern verbergen?",
  hideText_zero:
    "Browser verwenden ab jetzt den Standardwert in ihrem Code. In den letzten 24 Stunden hat niemand das Flag abgefragt in: {{environments}}",
  hideText_one:
    "Browser verwenden ab jetzt den Standardwert in ihrem Code. In den letzten 24 Stunden haben Server und Browser das Flag {{count}}-mal abgefragt in: {{environments}}",
  hideText_other:
    "Browser verwenden ab jetzt den Standardwert in ihrem Code. In den letzten 24 Stunden haben Server und Browser das Flag {{count, number}}-mal abgefragt in: {{environments}}",
  hide: "{{flag}} verbergen",
  notForBrowsers: "Browser bekommen dieses Flag nicht.",
  seenThrough: "Browser können an diesem Flag erkennen, ob {{flag}} eingeschaltet ist.",
};
