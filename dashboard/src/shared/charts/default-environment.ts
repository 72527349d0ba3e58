import type { Environment } from "../api/types.ts";
import { isProduction } from "../data/environments.ts";

/**
 * Returns the environment that a usage chart shows initially: the first production environment, or
 * the last environment if there is no production. Undefined without environments.
 */
export const defaultEnvironment = (environments: readonly Environment[]): Environment | undefined =>
  environments.find(isProduction) ?? environments.at(-1);
