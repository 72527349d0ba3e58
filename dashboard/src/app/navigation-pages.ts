import {
  IconAdjustments,
  IconCalendarClock,
  IconChartBar,
  IconFileCode,
  IconFlag,
  IconFlask,
  IconForms,
  IconGitPullRequest,
  IconHistory,
  IconKey,
  IconPlugConnected,
  IconRobot,
  IconServer2,
  IconSettings,
  IconTag,
  IconUsers,
  IconUsersGroup,
  type TablerIcon,
} from "@tabler/icons-react";
import { useOpenProjectId } from "../shared/data/use-project-id.ts";
import type { Permission } from "@feature-flags/permissions/permissions";
import { lastProjectId } from "../shared/data/last-project.ts";
import { useProjectExists } from "../shared/data/projects.ts";
import { useCan, useProjectsWith } from "../shared/session/current-session.tsx";

interface Page {
  readonly group?: (typeof GROUPS)[number];
  readonly to: string;
  readonly name: string;
  readonly Icon: TablerIcon;
  readonly permission?: Permission;
}

export const GROUPS = ["release", "data", "configure"] as const;

/** The pages of a project that the navigation and the command palette offer, in this order. */
export const PROJECT_PAGES = [
  { to: "/projects/$projectId/flags", group: "release", name: "flags", Icon: IconFlag },
  {
    to: "/projects/$projectId/change-requests",
    group: "release",
    name: "changeRequests",
    Icon: IconGitPullRequest,
  },
  {
    to: "/projects/$projectId/schedule",
    group: "release",
    name: "schedule",
    Icon: IconCalendarClock,
  },
  { to: "/projects/$projectId/playground", group: "release", name: "playground", Icon: IconFlask },
  { to: "/projects/$projectId/insights", group: "release", name: "insights", Icon: IconChartBar },
  { to: "/projects/$projectId/segments", group: "data", name: "segments", Icon: IconUsersGroup },
  { to: "/projects/$projectId/contexts", group: "data", name: "contexts", Icon: IconForms },
  { to: "/projects/$projectId/tags", group: "data", name: "tags", Icon: IconTag },
  {
    to: "/projects/$projectId/environments",
    group: "configure",
    name: "environments",
    Icon: IconServer2,
  },
  { to: "/projects/$projectId/api-keys", group: "configure", name: "apiKeys", Icon: IconKey },
  {
    to: "/projects/$projectId/integrations",
    group: "configure",
    name: "integrations",
    Icon: IconPlugConnected,
  },
  { to: "/projects/$projectId/export", group: "configure", name: "files", Icon: IconFileCode },
  { to: "/projects/$projectId/audit", group: "configure", name: "audit", Icon: IconHistory },
  {
    to: "/projects/$projectId/settings",
    group: "configure",
    name: "projectSettings",
    Icon: IconAdjustments,
  },
] as const satisfies readonly Page[];

const ORGANISATION_PAGES = [
  { to: "/users", name: "users", Icon: IconUsers, permission: "user:read" },
  {
    to: "/service-accounts",
    name: "serviceAccounts",
    Icon: IconRobot,
    permission: "service-account:read",
  },
  { to: "/audit", name: "wholeAudit", Icon: IconHistory, permission: "audit:read-all" },
  { to: "/settings", name: "settings", Icon: IconSettings, permission: "settings:read" },
] as const satisfies readonly Page[];

/** Returns the pages outside of projects that the roles of the signed-in user may read. */
export function useOrganisationPages() {
  const allowed = {
    "user:read": useCan("user:read"),
    "service-account:read": useProjectsWith("service-account:read").length > 0,
    "audit:read-all": useCan("audit:read-all"),
    "settings:read": useCan("settings:read"),
  };
  return ORGANISATION_PAGES.filter(({ permission }) => allowed[permission]);
}

/**
 * Returns the id of the project that the navigation shows: the project in the URL or, on pages
 * outside of a project, the project that was last open in this browser. Undefined if there is none, and
 * if the project in the URL does not exist for the user.
 */
export function useCurrentProjectId(): number | undefined {
  const open = useOpenProjectId();
  const exists = useProjectExists(open);
  if (open === undefined) return lastProjectId();
  return exists === false ? undefined : open;
}
