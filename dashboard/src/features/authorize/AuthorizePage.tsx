import { Alert, Button, Paper, Stack, Text } from "@mantine/core";
import { IconRobot } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { send } from "../../shared/api/request.ts";
import { ApiError } from "../../shared/api/api-error.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ProviderOutcomeAlert } from "../../shared/session/ProviderOutcomeAlert.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { Loading } from "../../shared/ui/QueryView.tsx";
import { type Authorization, Consent } from "./Consent.tsx";

const route = getRouteApi("/authorize");

/** Whether another page shows this one in a frame, where it could make the user click without knowing. */
const isFramed = (): boolean => window.top !== window.self;

/** The page on which a user lets an OAuth client act for them. It is the authorisation endpoint. */
export function AuthorizePage() {
  const { t } = useTranslation();
  const { request, ...outcome } = route.useSearch();
  return (
    <>
      <PageHeader title={t("agents.authorize")} description={t("agents.authorizeIntro")} />
      <ProviderOutcomeAlert {...outcome} />
      {isFramed() ? (
        <Alert color="red" title={t("agents.framed")}>
          {t("agents.framedText")}
        </Alert>
      ) : request === undefined ? (
        <EmptyState Icon={IconRobot} title={t("agents.noRequest")}>
          {t("agents.noRequestText", { url: `${location.origin}/api/mcp` })}
        </EmptyState>
      ) : (
        <AuthorizationView query={request} />
      )}
    </>
  );
}

/**
 * What an OAuth client asks. Throws: ApiError 400 with the field `client_id` or `redirect_uri`, if the
 * service does not know who asks.
 */
const authorizationQuery = (query: string) =>
  queryOptions({
    queryKey: ["authorization", query],
    queryFn: () => send("post", "/api/oauth/request", { body: { query } }),
    staleTime: Infinity,
    retry: false,
  });

function AuthorizationView({ query }: { query: string }) {
  const { t } = useTranslation();
  const { data, error } = useQuery(authorizationQuery(query));
  const [answer, setAnswer] = useState<string>();
  if (error) return <Unknown error={error} />;
  if (!data) return <Loading />;
  if (answer !== undefined)
    return (
      <Alert role="status" title={t("agents.answered")}>
        {t("agents.answeredText", { name: data.clientName })}
      </Alert>
    );
  if (data.problem) return <Problem authorization={data} problem={data.problem} />;
  const leave = (redirectTo: string) => {
    setAnswer(redirectTo);
    location.assign(redirectTo);
  };
  return (
    <Paper withBorder radius="md" p="lg" maw="44rem">
      <Consent query={query} authorization={data} onDecided={leave} />
    </Paper>
  );
}

/** Says that the request comes from nobody whom the service knows. The browser must stay here. */
function Unknown({ error }: { error: Error }) {
  const { t } = useTranslation();
  const details = error instanceof ApiError ? error.details : [];
  const detail = details.find(({ field }) => field === "client_id" || field === "redirect_uri");
  if (!detail) return <ErrorAlert error={error} />;
  return (
    <Alert color="red" title={t("agents.unknown")}>
      <Stack gap="xs">
        <Text size="sm">
          {t(detail.field === "client_id" ? "agents.unknownClient" : "agents.unknownRedirect")}
        </Text>
        <Text size="sm" c="dimmed" lang="en">
          {detail.field} {detail.message}
        </Text>
      </Stack>
    </Alert>
  );
}

interface ProblemProps {
  authorization: Authorization;
  problem: NonNullable<Authorization["problem"]>;
}

function Problem({ authorization: { clientName, redirectHost }, problem }: ProblemProps) {
  const { t } = useTranslation();
  return (
    <Alert color="red" title={t("agents.wrong", { name: clientName })}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm" lang="en">
          {problem.description}
        </Text>
        <Button variant="default" onClick={() => location.assign(problem.redirectTo)}>
          {t("agents.back", { host: redirectHost })}
        </Button>
      </Stack>
    </Alert>
  );
}
