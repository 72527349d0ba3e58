import { PROTECTED_CHOICES } from "@feature-flags/file/plan";
import { counted } from "../counted.ts";
import type { FilePlan } from "../types.ts";
import { withOptionNames } from "./option-names.ts";

/** The most characters of a value in a line. JSON values and rules can be long. */
const MAX_VALUE = 200;

/** Returns a plan as lines for people. */
export function planText(plan: FilePlan): string {
  const { changes, environments, conflicts, released, warnings, approval } = plan;
  return [
    changes.map(changeLine),
    environments.map(
      ({ name, flags, maxMoves, checks24h }) =>
        `${name}: ${counted(flags, "flag")}, ${movesText(maxMoves)}, about ` +
        `${counted(checks24h, "check")} a day with another value`,
    ),
    conflicts.map((conflict) => `conflict: ${conflictText(conflict)}`),
    released.map(
      ({ path }) => `released: ${path} is not in the file any more, and keeps its value`,
    ),
    warnings.map(({ path, message }) => `warning: ${path} ${withOptionNames(message)}`),
    approval ? approvalLines(approval) : [],
    lastLine(plan),
  ]
    .flat()
    .join("\n");
}

/** Says which changes need an approval, and what each value of `--protected` would do. */
function approvalLines({
  environments,
  ...ways
}: NonNullable<FilePlan["approval"]>): readonly string[] {
  const lines = PROTECTED_CHOICES.map((choice) => {
    const { applied, held, problem } = ways[choice];
    const rest =
      choice === "propose"
        ? `opens a change request with ${counted(held, "other")}`
        : `leaves ${counted(held, "other")} out`;
    const does = `applies ${counted(applied, "operation")}, and ${rest}`;
    return `  --protected ${choice}: ${problem === null ? does : `is not possible. ${problem}`}`;
  });
  return [`approval needed in ${environments.join(", ")}:`, ...lines];
}

/** What a user can do about conflicts. */
export const CONFLICT_REMEDY =
  "Take the values of the project with flags export --update <file>, " +
  "or overwrite them with --overwrite <path>.";

function lastLine({ id, changes, conflicts }: FilePlan): string {
  if (conflicts.length > 0)
    return `flags apply changes nothing because of ${counted(conflicts.length, "conflict")}.`;
  return changes.length === 0 ? "The project is as the file says." : `Plan ${id}`;
}

function changeLine({ path, before, after, moves, flags }: FilePlan["changes"][number]): string {
  const change = before === undefined ? "new" : `${valueText(before)} → ${valueText(after)}`;
  const users = flags === undefined ? "" : ` (used by ${flags.join(", ") || "no flag"})`;
  return `${path}: ${change}${moves === null || moves === 0 ? "" : `, ${movesText(moves)}`}${users}`;
}

export function conflictText({
  path,
  current,
  wanted,
  manager,
  by,
  at,
}: FilePlan["conflicts"][number]): string {
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
