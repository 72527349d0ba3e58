import { IconServer2 } from "@tabler/icons-react";
import { useProjectId } from "../data/use-project-id.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { EmptyState } from "../ui/EmptyState.tsx";
import { LinkButton } from "../ui/links.tsx";

interface Props {
  title: string;
  /** A text that says why the page needs environments. */
  children: string;
}

/** Replaces the content of a page for which the project has too few environments. */
export function NoEnvironments({ title, children }: Props) {
  const { t } = useTranslation();
  const projectId = useProjectId();
  return (
    <EmptyState
      Icon={IconServer2}
      title={title}
      action={
        <LinkButton to="/projects/$projectId/environments" params={{ projectId }}>
          {t("flag.goToEnvironments")}
        </LinkButton>
      }
    >
      {children}
    </EmptyState>
  );
}
