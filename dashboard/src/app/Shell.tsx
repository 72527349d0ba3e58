import { Alert, Anchor, Burger, Kbd, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { openSpotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../shared/i18n/use-format.ts";
import { useCurrentSession } from "../shared/session/current-session.tsx";
import { BrandMark } from "../shared/ui/BrandMark.tsx";
import { AccountMenu } from "./AccountMenu.tsx";
import { Navigation } from "./Navigation.tsx";
import { OfflineNotice } from "./OfflineNotice.tsx";
import { ProjectSwitcher } from "./ProjectSwitcher.tsx";
import classes from "./Shell.module.css";

const Jump = lazy(async () => ({ default: (await import("./Jump.tsx")).Jump }));

/** The frame around every page: on narrow screens the navigation is behind a button. */
export function Shell() {
  const { t } = useTranslation();
  const [opened, { toggle, close }] = useDisclosure(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(close, [path, close]);

  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#content">
        {t("shell.skip")}
      </a>
      <header className={classes.top}>
        <Burger
          opened={opened}
          onClick={toggle}
          size="sm"
          aria-label={opened ? t("shell.closeMenu") : t("shell.openMenu")}
          aria-expanded={opened}
          aria-controls="navigation"
        />
        <BrandMark size={24} />
        <Text fw={600}>{t("common.product")}</Text>
      </header>
      <aside id="navigation" className={classes.side} data-opened={opened || undefined}>
        <div className={classes.brand}>
          <BrandMark size={28} />
          <Text fw={700}>{t("common.product")}</Text>
        </div>
        <ProjectSwitcher />
        <UnstyledButton className={classes.search} onClick={openSpotlight}>
          <IconSearch size={16} stroke={1.75} aria-hidden />
          <span className={classes.searchWords}>{t("shell.search")}</span>
          <Kbd size="xs" aria-hidden>
            Ctrl K
          </Kbd>
        </UnstyledButton>
        <Navigation />
        <AccountMenu />
      </aside>
      <main id="content" tabIndex={-1} className={classes.main}>
        <OfflineNotice />
        <SecondFactorNotice />
        <Outlet />
      </main>
      <Suspense>
        <Jump />
      </Suspense>
    </div>
  );
}

/** For a user who must have a second factor and has none. */
function SecondFactorNotice() {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const { mfaEnrollmentDeadline } = useCurrentSession();
  if (mfaEnrollmentDeadline === undefined) return null;
  return (
    <Alert mb="lg">
      {t("shell.mfaDeadline", { date: dateTime(mfaEnrollmentDeadline) })}{" "}
      <Anchor inherit underline="always" renderRoot={(props) => <Link to="/profile" {...props} />}>
        {t("shell.mfaSetUp")}
      </Anchor>
    </Alert>
  );
}
