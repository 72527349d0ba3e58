import { UnstyledButton } from "@mantine/core";
import { IconApi, IconChevronDown } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "../shared/i18n/use-translation.ts";
import { NamedIcon } from "./NamedIcon.tsx";
import classes from "./Navigation.module.css";
import {
  GROUPS,
  PROJECT_PAGES,
  useCurrentProjectId,
  useOrganisationPages,
} from "./navigation-pages.ts";
import { ReviewCount } from "./ReviewCount.tsx";
import { keysOf } from "./shortcuts.ts";
import { useIsCollapsed } from "./use-collapsed.ts";

export function Navigation() {
  const { t } = useTranslation();
  const projectId = useCurrentProjectId();
  const pages = useOrganisationPages();
  const { isClosed, toggle } = useClosedGroups();
  const isCollapsed = useIsCollapsed();
  return (
    <nav
      className={classes.nav}
      data-collapsed={isCollapsed || undefined}
      aria-label={t("shell.mainNavigation")}
    >
      {projectId !== undefined &&
        GROUPS.map((group) => (
          <Group
            key={group}
            name={t(`shell.${group}`)}
            isClosed={isClosed(group)}
            onToggle={() => toggle(group)}
          >
            {PROJECT_PAGES.filter((page) => page.group === group).map(({ to, name, Icon }) => (
              <li key={to}>
                <NamedIcon name={t(`shell.${name}`)}>
                  <Link
                    to={to}
                    params={{ projectId }}
                    className={classes.link}
                    activeProps={{ "aria-current": "page" }}
                    title={isCollapsed ? undefined : keysOf(name)}
                  >
                    <IconAndName Icon={Icon} name={t(`shell.${name}`)} />{" "}
                    {name === "changeRequests" && <ReviewCount projectId={projectId} />}
                  </Link>
                </NamedIcon>
              </li>
            ))}
          </Group>
        ))}
      <Group
        name={t("shell.organisation")}
        isClosed={isClosed("organisation")}
        onToggle={() => toggle("organisation")}
      >
        {pages.map(({ to, name, Icon }) => (
          <li key={to}>
            <NamedIcon name={t(`shell.${name}`)}>
              <Link
                to={to}
                className={classes.link}
                activeProps={{ "aria-current": "page" }}
                title={isCollapsed ? undefined : keysOf(name)}
              >
                <IconAndName Icon={Icon} name={t(`shell.${name}`)} />
              </Link>
            </NamedIcon>
          </li>
        ))}
        <li>
          <NamedIcon name={t("shell.apiDocs")}>
            <a href="/swagger-ui.html" className={classes.link}>
              <IconAndName Icon={IconApi} name={t("shell.apiDocs")} />
            </a>
          </NamedIcon>
        </li>
      </Group>
    </nav>
  );
}

/** What a link of the navigation shows. */
const IconAndName = ({ Icon, name }: { Icon: typeof IconApi; name: string }) => (
  <>
    <Icon size={18} stroke={1.75} aria-hidden />
    <span className={classes.name}>{name}</span>
  </>
);

interface GroupProps {
  name: string;
  isClosed: boolean;
  onToggle: () => void;
  children: ReactNode;
}

/**
 * A group of links below its name, which opens and closes the group. All links of the collapsed
 * navigation are shown.
 */
function Group({ name, isClosed, onToggle, children }: GroupProps) {
  const list = useId();
  const isCollapsed = useIsCollapsed();
  if (isCollapsed)
    return (
      <ul className={classes.list} aria-label={name}>
        {children}
      </ul>
    );
  return (
    <div>
      <UnstyledButton
        className={classes.heading}
        aria-expanded={!isClosed}
        aria-controls={list}
        onClick={onToggle}
      >
        {name}
        <IconChevronDown size={14} stroke={2} className={classes.chevron} aria-hidden />
      </UnstyledButton>
      <ul id={list} className={classes.list} hidden={isClosed} aria-label={name}>
        {children}
      </ul>
    </div>
  );
}

const KEY = "feature-flags.closed-groups";

/** The groups of the navigation that the user has closed. This browser remembers them. */
function useClosedGroups() {
  const [closed, setClosed] = useState(readClosed);
  return {
    isClosed: (group: string): boolean => closed.includes(group),
    toggle: (group: string): void => {
      const next = closed.includes(group)
        ? closed.filter((name) => name !== group)
        : [...closed, group];
      setClosed(next);
      localStorage.setItem(KEY, next.join(" "));
    },
  };
}

const readClosed = (): readonly string[] => (localStorage.getItem(KEY) ?? "").split(" ");
