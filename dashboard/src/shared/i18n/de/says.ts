import type { Translated } from "../translated.ts";
import type { says as english } from "../en/says.ts";

/** The German sentences about strategies and rules. `en/says.ts` explains the keys. */
export const says = {
  off: "Aus für alle.",
  offUntilOn: "Aus für alle. Eingeschaltet ist es für {{who}}.",
  offUntilOnWithRules: "Aus für alle. Eingeschaltet gilt: {{what}}.",
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
    share: "{{share}} von allen",
    those: "alle, für die gilt: {{conditions}}",
    shareOfThose: "{{share}} derer, für die gilt: {{conditions}}",
  },
  else: {
    nobody: "sonst niemand",
    everyone: "alle anderen",
    share: "{{share}} aller anderen",
    those: "alle anderen, für die gilt: {{conditions}}",
    shareOfThose: "{{share}} der anderen, für die gilt: {{conditions}}",
  },
  where: "{{constraints}}",
  inSegments: "sie gehören zu {{segments}}",
  and: "und",
  separator: "; ",
  manyRules: "Zuerst entscheiden {{count}} Regeln; {{last}}",
  stickyByDefault:
    "dieselbe Person bekommt immer dieselbe Antwort (nach targetingKey, sonst userId, sonst sessionId)",
  stickyUser: "dieselbe Person bekommt immer dieselbe Antwort (nach {{field}})",
  stickyField: "bei gleichem {{field}} gibt es immer dieselbe Antwort",
} satisfies Translated<typeof english>;
