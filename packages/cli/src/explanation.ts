import type {
  ConstraintOutcome,
  Explanation,
  PrerequisiteOutcome,
  RuleOutcome,
} from "@feature-flags/evaluation/explain";
import type { ClientRule, Verdict } from "@feature-flags/evaluation/rule";

/** The number of positions per per cent. */
const POSITIONS = 1000;

/** Describes a verdict in one line, such as `red = "#e33" (SPLIT)`. */
export function verdictText({ enabled, reason, variant, value }: Verdict): string {
  const state = enabled ? "on" : "off";
  const served = variant === undefined ? state : `${state}, ${variant}`;
  return `${served}${value === undefined ? "" : ` = ${JSON.stringify(value)}`} (${reason})`;
}

/**
 * Describes step by step how the verdict came about. `names`: the names of the ordered rules, in their
 * order.
 */
export function explanationText(
  { enabled, rules = [] }: ClientRule,
  names: readonly (string | null)[],
  explanation: Explanation,
): string {
  if (!enabled) return "  The flag is switched off in this environment.";
  const ordered = explanation.rules.map((outcome, index) =>
    ruleLines(`rule ${index + 1}${names[index] ? ` (${names[index]})` : ""}`, outcome),
  );
  const last = rules.length === 0 ? "the only rule" : "the last rule";
  return [explanation.prerequisites.map(prerequisiteLine), ...ordered, ruleLines(last, explanation)]
    .flat()
    .map((line) => `  ${line}`)
    .join("\n");
}

const mark = (holds: boolean): string => (holds ? "holds" : "does not hold");

const prerequisiteLine = ({ prerequisite, verdict, holds }: PrerequisiteOutcome): string =>
  `requires ${prerequisite.flagKey}: ${verdictText(verdict)}, ${mark(holds)}`;

const RESULTS: Readonly<Record<RuleOutcome["result"], string>> = {
  decided: "decides",
  condition: "a condition does not hold",
  percentage: "the roll-out does not include the id",
  id: "the context has no id",
  malformed: "cannot be read, so the flag is off",
  notReached: "was not reached",
};

function ruleLines(name: string, outcome: RuleOutcome): string[] {
  const { result, constraints, segments } = outcome;
  const details =
    result === "notReached" || result === "malformed"
      ? []
      : [
          constraints.map(constraintLine),
          segments.map(({ name: segment, holds, constraints: own }) => [
            `segment ${segment}: ${mark(holds)}`,
            own.map((one) => `  ${constraintLine(one)}`),
          ]),
          rollOutLine(outcome),
          splitLine(outcome),
        ].flat(3);
  return [`${name}: ${RESULTS[result]}`, ...details.map((line) => `  ${line}`)];
}

function constraintLine({ constraint, value, holds }: ConstraintOutcome): string {
  const { field, operator, values, inverted, caseInsensitive } = constraint;
  const condition = `${inverted ? "not " : ""}${field} ${operator} ${values.join(", ")}`.trim();
  const present = value === undefined ? "missing" : JSON.stringify(value);
  return `${condition}${caseInsensitive ? " (any case)" : ""}: ${present}, ${mark(holds)}`;
}

function rollOutLine({ rollOut: { rollOut, fields, placed } }: RuleOutcome): string[] {
  if (rollOut === 100) return [];
  if (placed === undefined) return [`roll-out ${rollOut} %: no id in ${fields.join(", ")}`];
  const { field, id, position } = placed;
  return [`roll-out ${rollOut} %: ${field} ${id} is at ${position / POSITIONS}`];
}

function splitLine({ split }: RuleOutcome): string[] {
  if (split === undefined) return [];
  if (split.placed === undefined) return [`split: no id in ${split.fields.join(", ")}`];
  const { field, id, position } = split.placed;
  return [`split: ${field} ${id} is at ${position / POSITIONS}`];
}
