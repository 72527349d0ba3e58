import { Stack, Switch, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { mfaQuery } from "../../shared/session/mfa-query.ts";
import { ProviderOutcomeAlert } from "../../shared/session/ProviderOutcomeAlert.tsx";
import { isPast } from "../../shared/time.ts";
import { Agents, agentsQuery } from "../../shared/tokens/Agents.tsx";
import { tokensQuery } from "../../shared/tokens/token-requests.ts";
import { Tokens } from "../../shared/tokens/Tokens.tsx";
import { CopyableCode } from "../../shared/ui/CopyableCode.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { Loading } from "../../shared/ui/QueryView.tsx";
import { SettingsSection } from "../../shared/ui/SettingsSection.tsx";

const route = getRouteApi("/profile/tokens");

/** The tokens of the user, and the agents that act for the user. */
export function OwnTokensPage() {
  const { t } = useTranslation();
  const { data: mfa, isPending } = useQuery(mfaQuery);
  const deadline = mfa?.mfaEnrollmentDeadline ?? null;
  // The service refuses the tokens of a user who must first set up the second factor. A notice above
  // the page says so.
  const mayHaveTokens = mfa !== undefined && (deadline === null || !isPast(deadline));
  // The sections wait for each other. Otherwise a section would move those below it when it loads.
  const tokens = useQuery({ ...tokensQuery(undefined), enabled: mayHaveTokens });
  const agents = useQuery({ ...agentsQuery(undefined), enabled: mayHaveTokens });
  const isLoading = isPending || tokens.isLoading || agents.isLoading;
  return (
    <>
      <PageHeader title={t("shell.profileTokens")} description={t("account.tokensIntro")} />
      <ProviderOutcomeAlert {...route.useSearch()} />
      {isLoading && <Loading />}
      {mayHaveTokens && !isLoading && (
        <>
          <SettingsSection title={t("tokens.title")} description={t("tokens.ownText")}>
            <Tokens owner={undefined} />
          </SettingsSection>
          <SettingsSection title={t("agents.title")} description={t("agents.text")}>
            <Agents />
          </SettingsSection>
          <SettingsSection title={t("connectAgent.title")} description={t("connectAgent.text")}>
            <ConnectAgent />
          </SettingsSection>
        </>
      )}
    </>
  );
}

/** Shows the lines that connect an agent with the service, with OAuth or a token. One tab per program. */
function ConnectAgent() {
  const { t } = useTranslation();
  const [withToken, setWithToken] = useState(false);
  const programs = agentLines(location.origin, withToken);
  return (
    <Stack gap="sm">
      <Tabs defaultValue={programs[0]?.id ?? null} keepMounted={false}>
        <Tabs.List aria-label={t("connectAgent.program")}>
          {programs.map(({ id, name }) => (
            <Tabs.Tab key={id} value={id}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {programs.map(({ id, name, file, lines, hasToken }) => (
          <Tabs.Panel key={id} value={id} pt="xs">
            <Text size="sm" mb="xs">
              {file === undefined
                ? t("connectAgent.inTerminal")
                : t("connectAgent.inFile", { file })}{" "}
              {hasToken ? t("connectAgent.replace", { token: TOKEN }) : t("connectAgent.asks")}
            </Text>
            <CopyableCode name={t("connectAgent.linesOf", { program: name })} code={lines} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <Switch
        label={t("connectAgent.withToken")}
        description={t("connectAgent.withTokenHint")}
        checked={withToken}
        onChange={(event) => setWithToken(event.currentTarget.checked)}
      />
      <Text size="xs" c="dimmed">
        {t("connectAgent.bounds")}
      </Text>
    </Stack>
  );
}

/** What stands for the token in the lines. A token is shown only once, so the page does not know it. */
const TOKEN = "<token>";

/** A program whose agent can be connected. */
interface AgentProgram {
  /** A word for the ids of elements, which may have no space. */
  readonly id: string;
  readonly name: string;
  /** The file that has the lines. Undefined: a command for the terminal. */
  readonly file: string | undefined;
  readonly lines: string;
  /** Whether the lines have a token. Without one, the program signs in with OAuth. */
  readonly hasToken: boolean;
}

const json = (value: object): string => JSON.stringify(value, undefined, 2);

/**
 * Returns the lines that connect the agents of some programs with the service at an origin. `hasToken`:
 * whether the lines have a token. Those of Cursor always have one, because it only signs in at services
 * at which programs register themselves, and nobody can do that here (docs/use/oauth.md).
 */
function agentLines(origin: string, hasToken: boolean): readonly AgentProgram[] {
  const url = `${origin}/api/mcp`;
  const headers = { headers: { Authorization: `Bearer ${TOKEN}` } };
  const header = hasToken ? ` \\\n  --header "Authorization: Bearer ${TOKEN}"` : "";
  return [
    {
      id: "claude-code",
      name: "Claude Code",
      file: undefined,
      lines: `claude mcp add --transport http flags ${url}${header}`,
      hasToken,
    },
    {
      id: "cursor",
      name: "Cursor",
      file: "~/.cursor/mcp.json",
      lines: json({ mcpServers: { flags: { url, ...headers } } }),
      hasToken: true,
    },
    {
      id: "vs-code",
      name: "VS Code",
      file: ".vscode/mcp.json",
      lines: json({ servers: { flags: { type: "http", url, ...(hasToken && headers) } } }),
      hasToken,
    },
  ];
}
