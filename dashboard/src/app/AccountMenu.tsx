import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { IconCheck, IconLogout, IconSelector, IconUserCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { signOut } from "../features/session/sign-out.ts";
import { useCurrentSession } from "../shared/session/current-session.tsx";
import classes from "./ProjectSwitcher.module.css";

const SCHEMES = ["light", "dark", "auto"] as const;

export function AccountMenu() {
  const { t } = useTranslation();
  const { user } = useCurrentSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="top-start" width="target" closeOnItemClick={false}>
      <Menu.Target>
        <UnstyledButton
          className={classes.button}
          aria-label={`${t("shell.account")}: ${user.name}`}
        >
          <Avatar name={user.name} color="initials" size="sm" alt="" />
          <span className={classes.words}>
            <Text size="sm" fw={500} truncate component="span">
              {user.name}
            </Text>
            <Text size="xs" c="dimmed" truncate component="span">
              {user.role}
            </Text>
          </span>
          <IconSelector size={16} stroke={1.75} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item
          closeMenuOnClick
          leftSection={<IconUserCircle size={16} aria-hidden />}
          renderRoot={(props) => <Link to="/profile" {...props} />}
        >
          {t("shell.profile")}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t("shell.theme")}</Menu.Label>
        {SCHEMES.map((scheme) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={scheme === colorScheme}
            rightSection={scheme === colorScheme && <IconCheck size={16} aria-hidden />}
            onClick={() => setColorScheme(scheme)}
          >
            {t(`shell.${scheme}`)}
          </Menu.Item>
        ))}
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
