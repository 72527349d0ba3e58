import type { Messages } from "../en/index.ts";

/** The German sentences about strategies and rules. `en/says.ts` explains the keys. */
export const says: Messages["says"] = {
  off: "Aus für alle.",
  offUntilOn: "Aus. Eingeschaltet gilt es für {{who}}.",
  offUntilOnWithRules: "Aus. Eingeschaltet gilt: {{what}}.",
  nobodyAtZero: "Ein, aber niemand bekommt es: Der Anteil steht auf {{share}}.",
  nobodyInSegment: "Ein, aber niemand bekommt es: Das Segment {{segment}} hat keine Bedingungen.",
  onFor: "ein für {{who}}",
  offFor: "aus für {{who}}",
  get: {
    nobody: "{{who}} bekommt {{what}}",
    everyone: "{{who}} bekommen {{what}}",
    share: "{{who}} bekommen {{what}}",
    those: "{{who}}, bekommen {{what}}",
  },
  part: "{{variant}} ({{share}})",
  who: {
    nobody: "niemand",
    everyone: "alle",
    share: "{{share}} der Nutzer",
    those: "Nutzer, für die gilt: {{conditions}}",
    shareOfThose: "{{share}} der Nutzer, für die gilt: {{conditions}}",
  },
  else: {
    nobody: "sonst niemand",
    everyone: "alle anderen",
    share: "{{share}} der übrigen Nutzer",
    those: "andere Nutzer, für die gilt: {{conditions}}",
    shareOfThose: "{{share}} der anderen Nutzer, für die gilt: {{conditions}}",
  },
  where: "{{constraints}}",
  inSegments: "sie gehören zu {{segments}}",
  and: "und",
  separator: "; ",
  manyRules: "Zuerst entscheiden {{count}} Regeln; {{last}}",
  stickyUser: "derselbe Nutzer bekommt immer dasselbe Ergebnis (nach {{field}})",
  stickyField: "bei gleichem {{field}} gibt es immer dasselbe Ergebnis",
};
