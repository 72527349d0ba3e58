import type { Messages } from "../en/index.ts";

export const connectAgent: Messages["connectAgent"] = {
  title: "Agenten verbinden",
  text: "Ein Agent findet, erklärt und ändert Flags und der Verlauf nennt ihn. Ein Programm mit OAuth braucht nur die URL und fragt im Browser nach Rechten. Für andere: ein Token erstellen.",
  program: "Programm",
  inTerminal: "In einem Terminal ausführen.",
  inFile: "In {{file}} einfügen.",
  replace: "Anstelle von {{token}} ein Token einsetzen.",
  linesOf: "Zeilen für {{program}}",
  bounds:
    "Der Agent kann, was sein Token kann. Mit dem Recht „Lesen“ liest er nur. In einer geschützten Umgebung stellt er Änderungsanträge, über die Menschen entscheiden.",
};
