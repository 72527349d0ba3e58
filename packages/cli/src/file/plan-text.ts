import type { Conflict, FilePlan, PlannedChange } from "@feature-flags/file/plan";

/** The most characters of a value in a line. JSON values and rules can be long. */
const MAX_VALUE = 200;

/** Returns a plan as lines for people. */
export function planText(plan: FilePlan): string {
  const { changes, environments, conflicts, released, warnings } = plan;
  return [
    changes.map(changeLine),
    environments.map(
      ({ name, flags, maxMoves, checks24h }) =>
        `${name}: ${flags} flag${flags === 1 ? "" : "s"}, ${movesText(maxMoves)}, about ` +
        `${checks24h} checks a day with another value`,
    ),
    conflicts.map((conflict) => `conflict: ${conflictText(conflict)}`),
    released.map(
      ({ path }) => `released: ${path} is not in the file any more, and keeps its value`,
    ),
    warnings.map(({ path, message }) => `warning: ${path} ${message}`),
    changes.length === 0 ? "The project is as the file says." : `Plan ${plan.id}`,
  ]
    .flat()
    .join("\n");
}

function changeLine({ path, before, after, moves, flags }: PlannedChange): string {
  const change = before === undefined ? "new" : `${valueText(before)} → ${valueText(after)}`;
  const users = flags === undefined ? "" : ` (used by ${flags.join(", ") || "no flag"})`;
  return `${path}: ${change}${moves === null || moves === 0 ? "" : `, ${movesText(moves)}`}${users}`;
}

export function conflictText({ path, current, wanted, manager, by, at }: Conflict): string {
  const values = `the project has ${valueText(current)}, the file ${valueText(wanted)}`;
  if (manager !== null) return `${path} belongs to the manager ${manager}: ${values}`;
  const who = [by === null ? [] : `by ${by}`, at === null ? [] : `at ${at}`].flat().join(" ");
  return `${path} was changed ${who}: ${values}`;
}

/** Describes a share of users with up to three decimals of a per cent. */
const movesText = (share: number | null): string =>
  share === null
    ? "an unknown share of the users moves"
    : `at most ${Math.round(share * 100_000) / 1000} % of the users move`;

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)} …` : text;
}
