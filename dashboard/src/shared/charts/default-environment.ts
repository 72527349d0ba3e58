import type { Environment } from "../api/types.ts";
import { isProduction } from "../data/environments.ts";

/**
 * The environment that is selected at first: production, else the last one. Undefined when there is
 * none.
 */
export const defaultEnvironment = (environments: readonly Environment[]): Environment | undefined =>
  environments.find(isProduction) ?? environments.at(-1);
