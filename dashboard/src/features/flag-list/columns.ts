import type { Environment } from "../../shared/api/types.ts";

/** The columns about the whole flag, in their order in the table. */
export const FACTS = ["usage", "lastChange", "owners", "type", "lastUsed", "created"] as const;

export type Fact = (typeof FACTS)[number];

/** Further choices of the user: tags, the count of other environments, and higher rows. */
type Extra = "others" | "tags" | "comfortable";

export type EnvironmentColumn = `environment-${number}`;

export type Column = Fact | Extra | EnvironmentColumn;

export type Columns = ReadonlySet<string>;

export const environmentColumn = (id: number): EnvironmentColumn => `environment-${id}`;

/** The number of environments that fit into a window of 1440 px beside the other columns. */
const FITTING = 4;

/**
 * Returns the columns until the user chooses others. If the environments do not all fit, these are
 * production and the first other ones, and a column that counts where else the flag is on.
 */
export function defaultColumns(
  environments: readonly Pick<Environment, "id" | "production">[],
): readonly Column[] {
  const fit = environments.length <= FITTING;
  const byImportance = environments.toSorted((a, b) => Number(b.production) - Number(a.production));
  const shown = fit ? environments : byImportance.slice(0, FITTING - 1);
  return [
    ...shown.map(({ id }) => environmentColumn(id)),
    ...(fit ? [] : (["others"] as const)),
    "usage",
    "lastChange",
    "tags",
  ];
}
