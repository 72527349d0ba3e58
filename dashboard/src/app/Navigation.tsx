import {
  IconAdjustments,
  IconApi,
  IconChartBar,
  IconFlag,
  IconFlask,
  IconForms,
  IconHistory,
  IconKey,
  IconPlugConnected,
  IconServer2,
  IconSettings,
  IconTag,
  IconUsers,
  IconUsersGroup,
  type TablerIcon,
} from "@tabler/icons-react";
import { Link, useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Permission } from "../../../src/core/permissions.ts";
import { rememberedProject } from "../shared/data/last-project.ts";
import { useCan } from "../shared/session/current-session.tsx";
import classes from "./Navigation.module.css";

/** The pages of a project, in the order of their use. */
export const PROJECT_PAGES = [
  { to: "/projects/$projectId/flags", name: "flags", Icon: IconFlag },
  { to: "/projects/$projectId/playground", name: "playground", Icon: IconFlask },
  { to: "/projects/$projectId/insights", name: "insights", Icon: IconChartBar },
  { to: "/projects/$projectId/segments", name: "segments", Icon: IconUsersGroup },
  { to: "/projects/$projectId/contexts", name: "contexts", Icon: IconForms },
  { to: "/projects/$projectId/tags", name: "tags", Icon: IconTag },
  { to: "/projects/$projectId/environments", name: "environments", Icon: IconServer2 },
  { to: "/projects/$projectId/api-keys", name: "apiKeys", Icon: IconKey },
  { to: "/projects/$projectId/integrations", name: "integrations", Icon: IconPlugConnected },
  { to: "/projects/$projectId/audit", name: "audit", Icon: IconHistory },
  { to: "/projects/$projectId/settings", name: "projectSettings", Icon: IconAdjustments },
] as const satisfies readonly PageLink[];

/** Those of everybody's. */
export const COMMON_PAGES = [
  { to: "/users", name: "users", Icon: IconUsers, permission: "user:read" },
  { to: "/audit", name: "audit", Icon: IconHistory, permission: "audit:read-all" },
  { to: "/settings", name: "settings", Icon: IconSettings, permission: "settings:read" },
] as const satisfies readonly PageLink[];

interface PageLink {
  readonly to: string;
  readonly name: string;
  readonly Icon: TablerIcon;
  readonly permission?: Permission;
}

/** The project of the page, or the one that was left for a page of everybody's. */
export function useNavigatedProject(): number | undefined {
  const id = useParams({ strict: false, select: ({ projectId }) => projectId });
  return id ?? rememberedProject();
}

export function Navigation() {
  const { t } = useTranslation();
  const projectId = useNavigatedProject();
  return (
    <nav className={classes.nav} aria-label={t("shell.mainNavigation")}>
      {projectId !== undefined && (
        <ul className={classes.list}>
          {PROJECT_PAGES.map(({ to, name, Icon }) => (
            <li key={to}>
              <Link
                to={to}
                params={{ projectId }}
                className={classes.link}
                activeProps={{ "aria-current": "page" }}
              >
                <Icon size={18} stroke={1.75} aria-hidden />
                {t(`shell.${name}`)}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <Common />
    </nav>
  );
}

function Common() {
  const { t } = useTranslation();
  const allowed = {
    "user:read": useCan("user:read"),
    "audit:read-all": useCan("audit:read-all"),
    "settings:read": useCan("settings:read"),
  };
  const pages = COMMON_PAGES.filter(({ permission }) => allowed[permission]);
  return (
    <ul className={classes.list} aria-label={t("shell.organisation")}>
      {pages.map(({ to, name, Icon }) => (
        <li key={to}>
          <Link to={to} className={classes.link} activeProps={{ "aria-current": "page" }}>
            <Icon size={18} stroke={1.75} aria-hidden />
            {t(`shell.${name}`)}
          </Link>
        </li>
      ))}
      <li>
        <a href="/swagger-ui.html" className={classes.link}>
          <IconApi size={18} stroke={1.75} aria-hidden />
          {t("shell.apiDocs")}
        </a>
      </li>
    </ul>
  );
}
