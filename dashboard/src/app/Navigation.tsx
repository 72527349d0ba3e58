import { UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconApi, IconChevronDown } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import { reviewCountQuery } from "../shared/change-requests/queries.ts";
import { useFormat } from "../shared/i18n/use-format.ts";
import { useTranslation } from "../shared/i18n/use-translation.ts";
import { useProjectsWith } from "../shared/session/current-session.tsx";
import { NamedIcon } from "./NamedIcon.tsx";
import classes from "./Navigation.module.css";
import {
  GROUPS,
  type NavigationPage,
  useCurrentProjectId,
  useOpenSection,
  useSections,
} from "./navigation-pages.ts";
import { keysOf } from "./shortcuts.ts";
import { useIsCollapsed } from "./use-collapsed.ts";

export function Navigation() {
  const { t } = useTranslation();
  const sections = useSections();
  const { isClosed, toggle } = useClosedGroups();
  const isCollapsed = useIsCollapsed();
  return (
    <nav
      className={classes.nav}
      data-collapsed={isCollapsed || undefined}
      aria-label={t("shell.mainNavigation")}
    >
      {GROUPS.map((group) => {
        const pages = sections.flatMap(([first]) => (first?.group === group ? first : []));
        // The group of the organisation also has the link to the API reference.
        if (pages.length === 0 && group !== "organisation") return null;
        return (
          <Group
            key={group}
            name={t(`shell.${group}`)}
            isClosed={isClosed(group)}
            onToggle={() => toggle(group)}
          >
            {pages.map((page) => (
              <PageLink key={page.to} page={page} />
            ))}
            {group === "organisation" && (
              <li>
                <NamedIcon name={t("shell.apiDocs")}>
                  <a href="/swagger-ui.html" className={classes.link}>
                    <IconAndName Icon={IconApi} name={t("shell.apiDocs")} />
                  </a>
                </NamedIcon>
              </li>
            )}
          </Group>
        );
      })}
    </nav>
  );
}

/** The link to the first page of a section. It is marked while any page of the section is open. */
function PageLink({ page: { to, name, section, Icon } }: { page: NavigationPage }) {
  const { t } = useTranslation();
  const projectId = useCurrentProjectId();
  const isCollapsed = useIsCollapsed();
  const isOpen = useOpenSection().section === section;
  return (
    <li>
      <NamedIcon name={t(`shell.${name}`)}>
        <Link
          to={to}
          params={{ projectId: projectId ?? 0 }}
          className={classes.link}
          aria-current={isOpen ? "true" : undefined}
          activeProps={{ "aria-current": "page" }}
          title={isCollapsed ? undefined : keysOf(name)}
        >
          <IconAndName Icon={Icon} name={t(`shell.${name}`)} />{" "}
          {name === "changeRequests" && projectId !== undefined && (
            <ReviewCount projectId={projectId} />
          )}
        </Link>
      </NamedIcon>
    </li>
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

/** How many change requests of a project the user can review. Renders nothing if there are none. */
function ReviewCount({ projectId }: { projectId: number }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const mayReview = useProjectsWith("change-request:review").some(({ id }) => id === projectId);
  const { data: count = 0 } = useQuery({ ...reviewCountQuery(projectId), enabled: mayReview });
  if (!mayReview || count === 0) return null;
  return (
    <span className={classes.count}>
      {number(count)}
      <VisuallyHidden> {t("shell.toReview")}</VisuallyHidden>
    </span>
  );
}
