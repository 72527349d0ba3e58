import { Menu, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from "@mantine/core";
import { IconLogout, IconSelector, IconUserCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { signOut } from "../features/session/sign-out.ts";
import { languageOf, LANGUAGE_NAMES } from "../shared/i18n/language.ts";
import { useTranslation } from "../shared/i18n/use-translation.ts";
import { useCurrentSession } from "../shared/session/current-session.tsx";
import { useChangeLanguage } from "../shared/session/use-change-language.ts";
import { UserAvatar } from "../shared/ui/UserAvatar.tsx";
import { MENU_WIDTH, useIsCollapsed } from "./use-collapsed.ts";
import classes from "./ProjectSwitcher.module.css";

const SCHEMES = ["light", "dark", "auto"] as const;

export function AccountMenu() {
  const { t } = useTranslation();
  const { user } = useCurrentSession();
  const isCollapsed = useIsCollapsed();
  return (
    <Menu
      position="top-start"
      width={isCollapsed ? MENU_WIDTH : "target"}
      // Otherwise the collapsed navigation would cut the menu off.
      floatingStrategy={isCollapsed ? "fixed" : "absolute"}
      closeOnItemClick={false}
      // Render the account menu without a portal, so that the menu stays in the same ARIA landmark
      // as its button. When the account menu opens, its first item takes the focus.
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <UnstyledButton className={classes.button} title={isCollapsed ? user.name : undefined}>
          <VisuallyHidden>{t("shell.account")}: </VisuallyHidden>
          <UserAvatar name={user.name} />
          {isCollapsed ? (
            <VisuallyHidden>{user.name}</VisuallyHidden>
          ) : (
            <>
              <span className={classes.words}>
                <Text size="sm" fw={500} truncate component="span">
                  {user.name}
                </Text>
                <Text size="xs" c="dimmed" truncate component="span">
                  {t(`session.roles.${user.role}`)}
                </Text>
              </span>
              <IconSelector size={16} stroke={1.75} aria-hidden />
            </>
          )}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes.dropdown}>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item
          closeMenuOnClick
          leftSection={<IconUserCircle size={16} aria-hidden />}
          renderRoot={(props) => <Link to="/profile" {...props} />}
        >
          {t("shell.profile")}
        </Menu.Item>
        <Menu.Divider />
        <SchemeChoice />
        <Menu.Divider />
        <LanguageChoice />
        <Menu.Divider />
        <Menu.Item
          closeMenuOnClick
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => void signOut()}
        >
          {t("shell.signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function SchemeChoice() {
  const { t } = useTranslation();
  // `keepTransitions` stops Mantine from adding a <style> element when the colour scheme changes.
  // The content security policy blocks such an element.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <div role="group" aria-label={t("shell.theme")}>
      <Menu.Label>{t("shell.theme")}</Menu.Label>
      <Menu.RadioGroup
        value={colorScheme}
        onChange={(scheme) => setColorScheme(SCHEMES.find((known) => known === scheme) ?? "auto")}
      >
        {SCHEMES.map((scheme) => (
          <Menu.RadioItem key={scheme} value={scheme}>
            {t(`shell.${scheme}`)}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </div>
  );
}

function LanguageChoice() {
  const { t, language: shown } = useTranslation();
  const changeLanguage = useChangeLanguage();
  return (
    <div role="group" aria-label={t("shell.language")}>
      <Menu.Label>{t("shell.language")}</Menu.Label>
      <Menu.RadioGroup
        value={shown}
        onChange={(language) => void changeLanguage(languageOf(language))}
      >
        {LANGUAGE_NAMES.map(([language, name]) => (
          <Menu.RadioItem key={language} value={language} lang={language}>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </div>
  );
}
