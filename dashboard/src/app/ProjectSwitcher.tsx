import { Menu, Text, UnstyledButton } from "@mantine/core";
import { IconFolder, IconSelector } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { projectsQuery } from "../shared/data/projects.ts";
import { useTranslation } from "../shared/i18n/use-translation.ts";
import { useCurrentProjectId } from "./navigation-pages.ts";
import { MENU_WIDTH, useIsCollapsed } from "./use-collapsed.ts";
import classes from "./ProjectSwitcher.module.css";

export function ProjectSwitcher() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useCurrentProjectId();
  const { data: projects = [] } = useQuery(projectsQuery);
  const current = projects.find(({ id }) => id === projectId);
  const isCollapsed = useIsCollapsed();
  const currentName = current?.name ?? t("shell.chooseProject");
  return (
    <Menu position="bottom-start" width={isCollapsed ? MENU_WIDTH : "target"}>
      <Menu.Target>
        {isCollapsed ? (
          <UnstyledButton
            className={classes.button}
            aria-label={`${t("shell.project")}: ${currentName}`}
            title={currentName}
          >
            <IconFolder size={18} stroke={1.75} aria-hidden />
          </UnstyledButton>
        ) : (
          <UnstyledButton className={classes.button} title={current?.name}>
            <span className={classes.words}>
              <Text size="xs" c="dimmed" component="span">
                {t("shell.project")}
              </Text>
              <Text size="sm" fw={600} truncate component="span">
                {currentName}
              </Text>
            </span>
            <IconSelector size={16} stroke={1.75} aria-hidden />
          </UnstyledButton>
        )}
      </Menu.Target>
      <Menu.Dropdown className={classes.dropdown}>
        {projects.map(({ id, name }) => (
          <Menu.Item
            key={id}
            fw={id === projectId ? 600 : undefined}
            onClick={() =>
              void navigate({ to: "/projects/$projectId/flags", params: { projectId: id } })
            }
          >
            {name}
          </Menu.Item>
        ))}
        {projects.length > 0 && <Menu.Divider />}
        <Menu.Item renderRoot={(props) => <Link to="/projects" {...props} />}>
          {t("shell.allProjects")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
