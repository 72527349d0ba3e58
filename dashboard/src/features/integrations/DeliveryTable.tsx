import { ActionIcon, Badge, Button, Code, Table, Text, VisuallyHidden } from "@mantine/core";
import { useDisclosure, useId } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight, IconRefresh } from "@tabler/icons-react";
import { useWrite } from "../../shared/api/request.ts";
import type { Delivery, Integration } from "../../shared/api/types.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { ActionsHeader } from "../../shared/ui/RowActions.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";
import { DeliveryDetails } from "./DeliveryDetails.tsx";
import classes from "./DeliveryTable.module.css";
import { TEST_EVENT } from "./events.ts";

/** The colour of a webhook delivery's state. Retrying is a pending delivery with a failed attempt. */
const COLOURS = {
  retrying: "yellow",
  pending: "blue",
  held: "gray",
  succeeded: "green",
  dead: "red",
} as const;

/** Whether the last attempt of a pending webhook delivery has failed. */
const isRetrying = ({ status, attempts, attemptLog }: Delivery) =>
  status === "pending" && attempts > 0 && typeof attemptLog[0]?.error === "string";

/** Whether the webhook delivery has ended. */
const isFinished = ({ status }: Delivery) => status === "succeeded" || status === "dead";

interface Props {
  deliveries: readonly Delivery[];
  integration: Integration;
  mayWrite: boolean;
}

export function DeliveryTable({ deliveries, integration, mayWrite }: Props) {
  const { t } = useTranslation();
  return (
    <DataTable
      label={t("integrations.deliveries")}
      verticalSpacing="xs"
      horizontalSpacing="sm"
      miw="38rem"
      head={
        <>
          <Column w="3rem">
            <VisuallyHidden>{t("integrations.details")}</VisuallyHidden>
          </Column>
          <Column>{t("integrations.status")}</Column>
          <Column>{t("integrations.event")}</Column>
          <Column>{t("integrations.happened")}</Column>
          <Column>{t("integrations.attempts")}</Column>
          {mayWrite && <ActionsHeader />}
        </>
      }
    >
      {deliveries.map((delivery) => (
        <DeliveryRow
          key={delivery.id}
          delivery={delivery}
          integration={integration}
          mayWrite={mayWrite}
        />
      ))}
    </DataTable>
  );
}

interface RowProps {
  delivery: Delivery;
  integration: Integration;
  mayWrite: boolean;
}

function DeliveryRow({ delivery, integration, mayWrite }: RowProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const [isOpen, { toggle }] = useDisclosure(false);
  const details = useId();
  const { type, attempts, createdAt, nextAttemptAt } = delivery;
  const status = isRetrying(delivery) ? "retrying" : delivery.status;
  const canSend = status === "retrying" || isFinished(delivery);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <Table.Tr>
        <Table.Td>
          <ActionIcon
            aria-label={t("integrations.detailsOf", { event: type })}
            aria-expanded={isOpen}
            aria-controls={isOpen ? details : undefined}
            onClick={toggle}
          >
            <Chevron size={16} stroke={1.75} aria-hidden />
          </ActionIcon>
        </Table.Td>
        <Table.Td>
          <Badge variant="dot" color={COLOURS[status]}>
            {t(`integrations.statuses.${status}`)}
          </Badge>
        </Table.Td>
        <Table.Td>
          <Code>{type}</Code>
        </Table.Td>
        <Table.Td>
          <TimeAgo at={createdAt} />
        </Table.Td>
        <Table.Td>
          {number(attempts)}
          {nextAttemptAt !== null && attempts > 0 && (
            <Text size="xs" c="dimmed">
              {t("integrations.nextAttempt")} <TimeAgo at={nextAttemptAt} />
            </Text>
          )}
        </Table.Td>
        {mayWrite && (
          <Table.Td ta="right">
            {integration.enabled && canSend && type !== TEST_EVENT && (
              <Redeliver delivery={delivery} integration={integration} />
            )}
          </Table.Td>
        )}
      </Table.Tr>
      {isOpen && (
        <Table.Tr id={details}>
          <Table.Td colSpan={mayWrite ? 6 : 5}>
            <div className={classes.details}>
              <DeliveryDetails delivery={delivery} />
            </div>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

function Redeliver({ delivery, integration: { id } }: Omit<RowProps, "mayWrite">) {
  const { t } = useTranslation();
  const { done, failed } = useNotify();
  const path = "/api/v1/integrations/{id}/deliveries/{deliveryId}/redeliver";
  const redeliver = useWrite("post", path, {
    onSuccess: () => done(t("integrations.redelivered", { event: delivery.type })),
    onError: failed,
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconRefresh size={14} stroke={1.75} aria-hidden />}
      loading={redeliver.isPending}
      onClick={() => redeliver.mutate({ path: { id, deliveryId: delivery.id } })}
    >
      {t(isRetrying(delivery) ? "integrations.retryNow" : "integrations.redeliver")}
    </Button>
  );
}
