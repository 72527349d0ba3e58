import { Alert, Stack, Title } from "@mantine/core";
import { IconArchive } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Navigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { hasStatus } from "../../shared/api/api-error.ts";
import type { FlagWithDependents } from "../../shared/api/types.ts";
import { flagQuery } from "../../shared/data/flag.ts";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { LinkButton } from "../../shared/ui/links.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { FlagHeader } from "./FlagHeader.tsx";
import { FlagHistory } from "./FlagHistory.tsx";
import { FlagUsage } from "./FlagUsage.tsx";
import { Prerequisites } from "./prerequisites/Prerequisites.tsx";
import { Strategies } from "./Strategies.tsx";
import { Variants } from "./variants/Variants.tsx";

const route = getRouteApi("/projects/$projectId/flags/$flagId");

export function FlagPage() {
  const { projectId, flagId } = route.useParams();
  const flag = useQuery(flagQuery(flagId));
  if (hasStatus(flag.error, 400, 404)) return <FlagMissing projectId={projectId} />;
  return (
    <QueryView query={flag}>
      {(data) =>
        data.projectId === projectId ? (
          <FlagDetail key={data.id} flag={data} />
        ) : (
          <Navigate
            to="/projects/$projectId/flags/$flagId"
            params={{ projectId: data.projectId, flagId }}
            replace
          />
        )
      }
    </QueryView>
  );
}

function FlagDetail({ flag }: { flag: FlagWithDependents }) {
  const { t } = useTranslation();
  return (
    <>
      <FlagHeader flag={flag} />
      <Stack gap="xl">
        {flag.archived && (
          <Alert
            color="gray"
            icon={<IconArchive size={18} aria-hidden />}
            title={t("flag.archivedTitle")}
          >
            {t("flag.archivedText")}
          </Alert>
        )}
        <Strategies flag={flag} />
        <Variants flag={flag} />
        <Prerequisites flag={flag} />
        <Part id="usage" title={t("flag.usage")}>
          <FlagUsage flag={flag} />
        </Part>
        <Part id="history" title={t("flag.history")}>
          <FlagHistory flag={flag} />
        </Part>
      </Stack>
    </>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb="md">
        {title}
      </Title>
      {children}
    </section>
  );
}

function FlagMissing({ projectId }: { projectId: number }) {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t("flag.missing")} />
      <EmptyState
        title={t("flag.missing")}
        action={
          <LinkButton to="/projects/$projectId/flags" params={{ projectId }}>
            {t("flag.back")}
          </LinkButton>
        }
      >
        {t("flag.missingText")}
      </EmptyState>
    </>
  );
}
