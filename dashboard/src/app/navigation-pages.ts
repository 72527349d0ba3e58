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
  IconShieldLock,
  IconTag,
  IconUserCircle,
  IconUsers,
  IconUsersGroup,
  type TablerIcon,
} from "@tabler/icons-react";
import { useLocation } from "@tanstack/react-router";
import { useOpenProjectId } from "../shared/data/use-project-id.ts";
import type { Permission } from "@feature-flags/permissions/permissions";
import { lastProjectId } from "../shared/data/last-project.ts";
import { useProjectExists } from "../shared/data/projects.ts";
import { useCan, useProjectsWith } from "../shared/session/current-session.tsx";

interface Page {
  /** The account is no group of the navigation: the menu of the account leads to its first page. */
  readonly group: (typeof GROUPS)[number] | "account";
  /**
   * Pages with the same section share one link of the navigation, which opens the first of them that the
   * user may read. Tabs above each of them open the others.
   */
  readonly section: string;
  readonly to: string;
  readonly name: string;
  readonly Icon: TablerIcon;
  readonly permission?: Permission;
}

export const GROUPS = ["release", "configure", "organisation"] as const;

/** The pages of a project that the navigation and the command palette offer, in this order. */
export const PROJECT_PAGES = [
  {
    to: "/projects/$projectId/flags",
    group: "release",
    section: "flags",
    name: "flags",
    Icon: IconFlag,
  },
  {
    to: "/projects/$projectId/change-requests",
    group: "release",
    section: "changeRequests",
    name: "changeRequests",
    Icon: IconGitPullRequest,
  },
  {
    to: "/projects/$projectId/schedule",
    group: "release",
    section: "changeRequests",
    name: "schedule",
    Icon: IconCalendarClock,
  },
  {
    to: "/projects/$projectId/segments",
    group: "release",
    section: "segments",
    name: "segments",
    Icon: IconUsersGroup,
  },
  {
    to: "/projects/$projectId/playground",
    group: "release",
    section: "playground",
    name: "playground",
    Icon: IconFlask,
  },
  {
    to: "/projects/$projectId/insights",
    group: "release",
    section: "insights",
    name: "insights",
    Icon: IconChartBar,
  },
  {
    to: "/projects/$projectId/environments",
    group: "configure",
    section: "environments",
    name: "environments",
    Icon: IconServer2,
  },
  {
    to: "/projects/$projectId/api-keys",
    group: "configure",
    section: "apiKeys",
    name: "apiKeys",
    Icon: IconKey,
  },
  {
    to: "/projects/$projectId/audit",
    group: "configure",
    section: "audit",
    name: "audit",
    Icon: IconHistory,
  },
  {
    to: "/projects/$projectId/settings",
    group: "configure",
    section: "projectSettings",
    name: "projectSettings",
    Icon: IconAdjustments,
  },
  {
    to: "/projects/$projectId/contexts",
    group: "configure",
    section: "projectSettings",
    name: "contexts",
    Icon: IconForms,
  },
  {
    to: "/projects/$projectId/tags",
    group: "configure",
    section: "projectSettings",
    name: "tags",
    Icon: IconTag,
  },
  {
    to: "/projects/$projectId/integrations",
    group: "configure",
    section: "projectSettings",
    name: "integrations",
    Icon: IconPlugConnected,
  },
  {
    to: "/projects/$projectId/export",
    group: "configure",
    section: "projectSettings",
    name: "files",
    Icon: IconFileCode,
  },
] as const satisfies readonly Page[];

const ORGANISATION_PAGES = [
  {
    to: "/audit",
    group: "organisation",
    section: "audit",
    name: "wholeAudit",
    Icon: IconHistory,
    permission: "audit:read-all",
  },
  {
    to: "/users",
    group: "organisation",
    section: "users",
    name: "users",
    Icon: IconUsers,
    permission: "user:read",
  },
  {
    to: "/service-accounts",
    group: "organisation",
    section: "users",
    name: "serviceAccounts",
    Icon: IconRobot,
    permission: "service-account:read",
  },
  {
    to: "/settings",
    group: "organisation",
    section: "settings",
    name: "settings",
    Icon: IconSettings,
    permission: "settings:read",
  },
  {
    to: "/profile",
    group: "account",
    section: "profile",
    name: "profile",
    Icon: IconUserCircle,
    permission: "session:own",
  },
  {
    to: "/profile/security",
    group: "account",
    section: "profile",
    name: "profileSecurity",
    Icon: IconShieldLock,
    permission: "session:own",
  },
  {
    to: "/profile/tokens",
    group: "account",
    section: "profile",
    name: "profileTokens",
    Icon: IconKey,
    permission: "session:own",
  },
] as const satisfies readonly Page[];

/** Returns the pages outside of projects that the roles of the signed-in user may read. */
export function useOrganisationPages() {
  // Known before the projects have loaded, so that the tabs do not move the page down later.
  const readsAll = useCan("service-account:read");
  const readable = useProjectsWith("service-account:read");
  const allowed = {
    "user:read": useCan("user:read"),
    "service-account:read": readsAll || readable.length > 0,
    "audit:read-all": useCan("audit:read-all"),
    "settings:read": useCan("settings:read"),
    "session:own": true,
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

export type NavigationPage = (typeof PROJECT_PAGES)[number] | (typeof ORGANISATION_PAGES)[number];

/** Returns all pages that the user can open now, by section, in the order of the navigation. */
export function useSections(): readonly (readonly NavigationPage[])[] {
  const projectId = useCurrentProjectId();
  const pages = [...(projectId === undefined ? [] : PROJECT_PAGES), ...useOrganisationPages()];
  return [...Map.groupBy<string, NavigationPage>(pages, ({ section }) => section).values()];
}

/**
 * Returns the section of the open page, also if a page below it is open, and whether the open page is
 * one of the section itself. The section is undefined for other pages.
 */
export function useOpenSection(): { section: string | undefined; isPage: boolean } {
  const pathname = useLocation({ select: (location) => location.pathname });
  const projectId = useCurrentProjectId();
  const pathOf = ({ to }: NavigationPage) => to.replace("$projectId", String(projectId));
  const open = useSections()
    .flat()
    // The last one, because the path of one page can begin with the path of another.
    .findLast((page) => `${pathname}/`.startsWith(`${pathOf(page)}/`));
  return { section: open?.section, isPage: open !== undefined && pathOf(open) === pathname };
}
