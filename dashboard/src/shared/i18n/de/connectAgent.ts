import type { Messages } from "../en/index.ts";

export const connectAgent: Messages["connectAgent"] = {
  title: "Agenten verbinden",
  text: "Ein Agent findet, erklärt und ändert Flags über MCP und der Verlauf nennt ihn.",
  program: "Programm",
  inTerminal: "In einem Terminal ausführen.",
  inFile: "In {{file}} einfügen.",
  asks: "Das Programm öffnet den Browser; dort werden die Rechte gewählt.",
  replace: "Anstelle von {{token}} ein Token einsetzen.",
  withToken: "Mit einem Token",
  withTokenHint: "Für Programme, die sich nicht mit OAuth anmelden oder ohne Browser laufen.",
  linesOf: "Zeilen für {{program}}",
  bounds:
    "Mit dem Recht „Lesen“ liest der Agent nur. In einer geschützten Umgebung stellt er Änderungsanträge, über die Menschen entscheiden.",
};
