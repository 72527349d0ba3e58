import type { Messages } from "../en/index.ts";

export const comparison: Messages["comparison"] = {
  title: "Umgebungen vergleichen",
  about: "Unterschiede zwischen zwei Umgebungen finden und übertragen.",
  from: "Kopieren aus",
  to: "Kopieren nach",
  swap: "Umgebungen tauschen",
  show: "Anzeigen",
  differing: "Unterschiede",
  allFlags: "Alle Flags",
  search: "Nach Name oder Schlüssel suchen",
  differ_one: "{{count}} Flag ist verschieden",
  differ_other: "{{count, number}} Flags sind verschieden",
  left_one: "{{count}} weiteres Flag ist nicht verglichen. Suche danach, um es zu finden.",
  left_other:
    "{{count, number}} weitere Flags sind nicht verglichen. Suche danach, um sie zu finden.",
  same: "Gleich",
  none: "Keine Unterschiede",
  noneText: "Alle Flags haben in {{from}} und {{to}} dasselbe Targeting und denselben Zustand.",
  noMatch: "Keine passenden Flags",
  noMatchText:
    "Kein Flag, auf das die Suche passt, ist verschieden. Ändere die Suche, oder zeige alle Flags an.",
  needsTwo: "Ein Vergleich braucht zwei Umgebungen",
  needsTwoText: "Dieses Projekt hat weniger als zwei Umgebungen.",
  select: "{{flag}} auswählen",
  selectAll: "Alle verschiedenen auswählen",
  selectFirst: "Die ersten {{count, number}} verschiedenen auswählen",
  copy_one: "{{count}} Flag nach {{environment}} kopieren …",
  copy_other: "{{count, number}} Flags nach {{environment}} kopieren …",
  fields: "Verschieden in",
  otherFlags: "Unterschiede anderer Flags",
  dialog: {
    title_one: "{{count}} Flag von {{from}} nach {{to}} kopieren?",
    title_other: "{{count, number}} Flags von {{from}} nach {{to}} kopieren?",
    consequence:
      "Innerhalb von 30 Sekunden haben diese Flags in {{to}} dasselbe Targeting wie in {{from}}. Ihr jetziges Targeting in {{to}} wird ersetzt.",
    withState: "Auch kopieren, ob die Flags an oder aus sind",
    turnsOn_one: "Schaltet {{count}} Flag ein",
    turnsOn_other: "Schaltet {{count, number}} Flags ein",
    turnsOff_one: "Schaltet {{count}} Flag aus",
    turnsOff_other: "Schaltet {{count, number}} Flags aus",
    onlyState: "Nur der Zustand: nicht kopiert",
    moreMoves: "je Flag bekommen bis zu {{share}} einen anderen Wert",
    nothing:
      "Die ausgewählten Flags unterscheiden sich nur darin, ob sie an oder aus sind. Kopiere auch das, oder brich ab.",
    submit: "Nach {{environment}} kopieren",
    changed_one:
      "Dieses Flag hat sich geändert, seit du diesen Dialog geöffnet hast. Nichts wurde kopiert. Schließe den Dialog, prüfe den aktuellen Vergleich und kopiere noch einmal.",
    changed_other:
      "Diese Flags haben sich geändert, seit du diesen Dialog geöffnet hast. Nichts wurde kopiert. Schließe den Dialog, prüfe den aktuellen Vergleich und kopiere noch einmal.",
  },
  done_one: "{{count}} Flag nach {{environment}} kopiert",
  done_other: "{{count, number}} Flags nach {{environment}} kopiert",
  undone_one: "{{count}} Flag in {{environment}} zurückgesetzt",
  undone_other: "{{count, number}} Flags in {{environment}} zurückgesetzt",
};
