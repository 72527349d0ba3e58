import type { Environment } from "../api/types.ts";
import { isProduction } from "../data/environments.ts";

/** The environment that is looked at unless another is chosen: production, or else the last. */
export const defaultEnvironment = (environments: readonly Environment[]): Environment | undefined =>
  environments.find(isProduction) ?? environments.at(-1);
