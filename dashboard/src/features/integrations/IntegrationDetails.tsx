import { Code, Paper, Switch, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useWrite } from "../../shared/api/request.ts";
import type { Integration } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { configOf, eventsOf } from "./integration-fields.ts";
import { hasEveryEvent } from "./events.ts";
import classes from "./IntegrationDetails.module.css";

interface Props {
  integration: Integration;
  mayWrite: boolean;
}

/** With a switch that turns the integration on and off, if the user may change it. */
export function IntegrationDetails({ integration, mayWrite }: Props) {
  const { t } = useTranslation();
  const { url, headers = {}, secret } = configOf(integration);
  const events = eventsOf(integration);
  const names = Object.keys(headers);
  return (
    <Paper withBorder radius="md" p="md">
      {mayWrite && <EnabledSwitch integration={integration} />}
      <dl className={classes.facts}>
        <Fact name={t("integrations.type")}>{t(`integrations.types.${integration.type}`)}</Fact>
        <Fact name={t("integrations.url")}>
          <Code className={classes.long}>{url}</Code>
        </Fact>
        <Fact name={t("integrations.events")}>
          {hasEveryEvent(events) ? (
            t("integrations.allEvents")
          ) : (
            <ul className={classes.names}>
              {events.map((event) => (
                <li key={event}>
                  <Code>{event}</Code>
                </li>
              ))}
            </ul>
          )}
        </Fact>
        {names.length > 0 && (
          <Fact name={t("integrations.headers")}>
            <ul className={classes.names}>
              {names.map((name) => (
                <li key={name}>
                  <Code className={classes.long}>{name}</Code>
                </li>
              ))}
            </ul>
          </Fact>
        )}
        {secret !== undefined && (
          <Fact name={t("integrations.secret")}>{t("integrations.secretHidden")}</Fact>
        )}
      </dl>
    </Paper>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0}>
        {children}
      </Text>
    </div>
  );
}

function EnabledSwitch({ integration }: { integration: Integration }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { failed } = useNotify();
  const { id, name, enabled, version } = integration;
  const change = useWrite("put", "/api/v1/integrations/{id}", { onError: failed });
  const turn = async (wanted: boolean) => {
    const isConfirmed =
      wanted ||
      (await confirm({
        title: t("integrations.turnOffAsk", { name }),
        children: t("integrations.turnOffText"),
        confirm: t("integrations.turnOff"),
      }));
    if (isConfirmed) change.mutate({ path: { id }, ifMatch: version, body: { enabled: wanted } });
  };
  return (
    <Switch
      mb="md"
      label={t("integrations.enabled")}
      checked={change.isPending ? change.variables.body?.enabled : enabled}
      disabled={change.isPending}
      onChange={({ currentTarget }) => void turn(currentTarget.checked)}
    />
  );
}
