import type { EnrichedFlag } from "../../shared/api/types.ts";

/** Returns the environment whose usage the list shows: production, or else the first one. */
export const usageEnvironment = ({ environments }: Pick<EnrichedFlag, "environments">) =>
  environments.find(({ production }) => production) ?? environments[0];
