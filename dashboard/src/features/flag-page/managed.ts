import type { FlagWithRelated } from "../../shared/api/types.ts";

/** A file that owns fields of a flag. */
export type Managed = NonNullable<FlagWithRelated["related"]>["managedBy"][number];

/** The files by the fields that they own. */
export type ManagedFields = ReadonlyMap<string, Managed>;

/** Returns the files by the fields of a strategy that they own; `null`: by the fields of the flag itself. */
export const managedFieldsIn = (
  managedBy: readonly Managed[],
  environmentId: number | null,
): ManagedFields =>
  new Map(
    managedBy
      .filter((managed) => managed.environmentId === environmentId)
      .flatMap((managed) => managed.fields.map((field) => [field, managed] as const)),
  );

/** Returns one of the records of each file, in which it has the same manager. */
export const managersOf = (managedBy: readonly Managed[]): Managed[] =>
  Array.from(new Map(managedBy.map((managed) => [managed.manager, managed])).values());

/** The characters of a commit that identify it to people. */
const SHORT_COMMIT = 7;

export const shortCommit = (commit: string): string => commit.slice(0, SHORT_COMMIT);

/** Returns the repository of a file if browsers can open it. */
export function repositoryLink({ repository }: Pick<Managed, "repository">): string | undefined {
  if (repository === null || !URL.canParse(repository)) return undefined;
  return ["https:", "http:"].includes(new URL(repository).protocol) ? repository : undefined;
}
