import { ActionIcon, Alert, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure, useOs, useNetwork, useWindowEvent } from "@mantine/hooks";
import {
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconMenu2,
  IconSearch,
  IconX,
} from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { type RefObject, Suspense, useRef } from "react";
import { CreateFlagModal } from "../features/flag-list/lazy.ts";
import { hasCode } from "../shared/api/api-error.ts";
import { projectsQuery } from "../shared/data/projects.ts";
import { useFormat } from "../shared/i18n/use-format.ts";
import { useTranslation } from "../shared/i18n/use-translation.ts";
import { useCurrentSession } from "../shared/session/current-session.tsx";
import { lazyPart } from "../shared/lazy.ts";
import { isPast } from "../shared/time.ts";
import { BrandMark } from "../shared/ui/BrandMark.tsx";
import { LinkAnchor } from "../shared/ui/links.tsx";
import { NamedIcon } from "./NamedIcon.tsx";
import { SectionTabs } from "./SectionTabs.tsx";
import { Navigation } from "./Navigation.tsx";
import { CollapsedContext, useCollapsed } from "./use-collapsed.ts";
import { useCurrentProjectId } from "./navigation-pages.ts";
import { NavigationProgress } from "./NavigationProgress.tsx";
import classes from "./Shell.module.css";
import { usePageFocus } from "./use-page-focus.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { useSideMenu } from "./use-side-menu.ts";

const parts = () => import("./lazy-parts.ts");

const AccountMenu = lazyPart(async () => (await parts()).AccountMenu);
const CommandPalette = lazyPart(async () => (await parts()).CommandPalette);
const ProjectSwitcher = lazyPart(async () => (await parts()).ProjectSwitcher);
const ShortcutsHelp = lazyPart(async () => (await parts()).ShortcutsHelp);
const Toasts = lazyPart(async () => (await parts()).Toasts);

/** The navigation beside the page. On narrow screens, a header has the button that opens it. */
export function Shell() {
  const { t } = useTranslation();
  const os = useOs();
  const { isNarrow, isOpen, toggle, close, button, side } = useSideMenu();
  const [wasCollapsed, toggleCollapsed] = useCollapsed();
  const isCollapsed = wasCollapsed && !isNarrow;
  const [isPaletteOpen, palette] = useDisclosure(false);
  const main = useRef<HTMLElement>(null);
  usePageFocus(main);
  useRetryOnline();
  const [isHelpOpen, help] = useDisclosure(false);
  const [isNewFlagOpen, newFlag] = useDisclosure(false);
  const projectId = useCurrentProjectId();
  const { data: projects = [] } = useQuery(projectsQuery);
  const projectName = projects.find(({ id }) => id === projectId)?.name;
  useScrollKeys(main);
  useShortcuts({ openPalette: palette.open, openHelp: help.open });

  const CollapseIcon = isCollapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  const MenuIcon = isOpen ? IconX : IconMenu2;
  return (
    <div className={classes.shell} data-collapsed={isCollapsed || undefined}>
      <NavigationProgress />
      <a className={classes.skip} href="#content">
        {t("shell.skip")}
      </a>
      <header className={classes.top}>
        <ActionIcon
          ref={button}
          onClick={toggle}
          size="lg"
          aria-label={isOpen ? t("shell.closeMenu") : t("shell.openMenu")}
          aria-expanded={isOpen}
          aria-controls="navigation"
        >
          <MenuIcon size={22} stroke={1.75} aria-hidden />
        </ActionIcon>
        <BrandMark size={24} />
        <Text fw={600} flex={1} truncate>
          {projectName ?? t("common.product")}
        </Text>
        <ActionIcon size="lg" aria-label={t("shell.search")} onClick={palette.open}>
          <IconSearch size={18} stroke={1.75} aria-hidden />
        </ActionIcon>
      </header>
      <CollapsedContext value={isCollapsed}>
        <aside
          ref={side}
          id="navigation"
          className={classes.side}
          data-opened={isOpen || undefined}
        >
          <div className={classes.brand}>
            <BrandMark size={28} />
            {!isCollapsed && (
              <Text fw={700} flex={1}>
                {t("common.product")}
              </Text>
            )}
            <ActionIcon
              onClick={toggleCollapsed}
              aria-label={t(isCollapsed ? "shell.expand" : "shell.collapse")}
              title={t(isCollapsed ? "shell.expand" : "shell.collapse")}
            >
              <CollapseIcon size={18} stroke={1.75} aria-hidden />
            </ActionIcon>
          </div>
          <Suspense fallback={<div className={classes.menu} />}>
            <ProjectSwitcher />
          </Suspense>
          <NamedIcon name={t("shell.search")}>
            <UnstyledButton
              className={classes.search}
              onClick={palette.open}
              aria-label={isCollapsed ? t("shell.search") : undefined}
              aria-keyshortcuts="Control+K Meta+K"
            >
              <IconSearch size={16} stroke={1.75} aria-hidden />
              {!isCollapsed && (
                <>
                  <span className={classes.searchWords}>{t("shell.search")}</span>
                  <kbd className={classes.keys} aria-hidden>
                    {os === "macos" ? "⌘ K" : "Ctrl K"}
                  </kbd>
                </>
              )}
            </UnstyledButton>
          </NamedIcon>
          <Navigation />
          <Suspense fallback={<div className={classes.menu} />}>
            <AccountMenu />
          </Suspense>
        </aside>
      </CollapsedContext>
      {isOpen && <div role="presentation" className={classes.overlay} onClick={close} />}
      <main
        ref={main}
        id="content"
        data-scroll-restoration-id="content"
        tabIndex={-1}
        className={classes.main}
        inert={isOpen}
      >
        <OfflineNotice />
        <SecondFactorNotice />
        <SectionTabs />
        <Outlet />
      </main>
      <Suspense>
        <Toasts />
      </Suspense>
      <Suspense>
        <CommandPalette
          opened={isPaletteOpen}
          onClose={palette.close}
          onHelp={help.open}
          onNewFlag={newFlag.open}
        />
        <ShortcutsHelp opened={isHelpOpen} onClose={help.close} />
        {projectId !== undefined && (
          <CreateFlagModal projectId={projectId} opened={isNewFlagOpen} onClose={newFlag.close} />
        )}
      </Suspense>
    </div>
  );
}

/**
 * Lets the keyboard scroll the page as soon as it is open. The page scrolls in <main>, and the
 * browser scrolls what has the focus.
 */
function useScrollKeys(main: RefObject<HTMLElement | null>): void {
  useWindowEvent("keydown", ({ key, target }) => {
    if (target === document.body && SCROLL_KEYS.has(key))
      main.current?.focus({ preventScroll: true });
  });
}

const SCROLL_KEYS: ReadonlySet<string> = new Set([
  " ",
  "ArrowDown",
  "ArrowUp",
  "End",
  "Home",
  "PageDown",
  "PageUp",
]);

/** A banner with the deadline for users who must set up a second factor. */
function SecondFactorNotice() {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const { mfaEnrollmentDeadline } = useCurrentSession();
  if (mfaEnrollmentDeadline === undefined) return null;
  return (
    <Alert mb="lg" role="status">
      {t(isPast(mfaEnrollmentDeadline) ? "shell.accessEnded" : "shell.mfaDeadline", {
        date: dateTime(mfaEnrollmentDeadline),
      })}{" "}
      <LinkAnchor inherit underline="always" to="/profile/security">
        {t("shell.mfaSetUp")}
      </LinkAnchor>
    </Alert>
  );
}

function OfflineNotice() {
  const { t } = useTranslation();
  const { online } = useNetwork();
  if (online) return null;
  return (
    <Alert color="yellow" mb="lg" role="status">
      {t("errors.offline")}
    </Alert>
  );
}

/** Repeats the queries that failed without a network when the browser is online again. */
function useRetryOnline(): void {
  const client = useQueryClient();
  useWindowEvent("online", () => {
    void client.invalidateQueries({
      predicate: ({ state }) => hasCode(state.error, "UNREACHABLE"),
    });
  });
}
