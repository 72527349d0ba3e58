import type { ClientRule } from "@feature-flags/evaluation/rule";

/** Reads the rules of environments as SDKs get them. */
export interface RulesPort {
  /** Returns the rules of an environment; undefined if it does not exist. Throws: the database's errors. */
  read(environmentId: number): Promise<readonly ClientRule[] | undefined>;
}
