import { List, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../shared/api/types.ts";
import { projectsQuery } from "../../shared/data/projects.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { LinkAnchor } from "../../shared/ui/links.tsx";

interface Props {
  roles: Schemas["UserWithRoles"]["projectRoles"];
}

/** The roles of a user in projects, each with a link to the settings that change it. */
export function ProjectRoles({ roles }: Props) {
  const { t } = useTranslation();
  const { data: projects = [] } = useQuery({ ...projectsQuery, enabled: roles.length > 0 });
  if (roles.length === 0) return null;
  const nameOf = (id: number) => projects.find((project) => project.id === id)?.name ?? `#${id}`;
  return (
    <div>
      <Text size="sm" fw={500}>
        {t("users.projectRoles")}
      </Text>
      <List size="sm" mt={4}>
        {roles.map(({ projectId, role }) => (
          <List.Item key={projectId}>
            <LinkAnchor to="/projects/$projectId/settings" params={{ projectId }}>
              {nameOf(projectId)}
            </LinkAnchor>
            : {t(`users.roles.${role}`)}
          </List.Item>
        ))}
      </List>
    </div>
  );
}
