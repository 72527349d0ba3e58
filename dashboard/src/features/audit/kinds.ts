import { SERVICE_ENTITIES } from "@feature-flags/permissions/service-entities";
import {
  IconAdjustments,
  IconBookmark,
  IconFlag,
  IconForms,
  IconGitPullRequest,
  IconKey,
  IconLogin,
  IconPlugConnected,
  IconRobot,
  IconServer2,
  IconSettings,
  IconStairsUp,
  IconTag,
  IconUser,
  IconUsersGroup,
  type TablerIcon,
} from "@tabler/icons-react";
import type { Schemas } from "../../shared/api/types.ts";

interface Kind {
  readonly Icon: TablerIcon;
}

/**
 * What audit records are about, in the order of the filter. A kind that the description of the API
 * lacks, or has in addition, is a type error.
 */
export const KINDS: Readonly<Record<Schemas["EntityType"], Kind>> = {
  flag: { Icon: IconFlag },
  segment: { Icon: IconUsersGroup },
  context: { Icon: IconForms },
  "context-value": { Icon: IconForms },
  tag: { Icon: IconTag },
  "change-request": { Icon: IconGitPullRequest },
  ramp: { Icon: IconStairsUp },
  environment: { Icon: IconServer2 },
  "api-key": { Icon: IconKey },
  integration: { Icon: IconPlugConnected },
  "shared-filter": { Icon: IconBookmark },
  project: { Icon: IconAdjustments },
  user: { Icon: IconUser },
  "service-account": { Icon: IconRobot },
  token: { Icon: IconKey },
  "identity-provider": { Icon: IconLogin },
  "oauth-client": { Icon: IconRobot },
  settings: { Icon: IconSettings },
};

/** Returns the icon of a kind. Undefined if only another release knows the kind. */
export const kindOf = (kind: string): Kind | undefined =>
  Object.hasOwn(KINDS, kind) ? KINDS[kind as keyof typeof KINDS] : undefined;

/**
 * Returns the kinds to filter by, in a project or in the whole service. The chosen kind is one of
 * them, also if it is of another release.
 */
export function kindsToFilter(isProject: boolean, chosen: string | undefined): readonly string[] {
  const offered = Object.keys(KINDS).filter(
    (kind) => !isProject || !SERVICE_ENTITIES.includes(kind),
  );
  return chosen === undefined || offered.includes(chosen) ? offered : [...offered, chosen];
}
