import { Alert, Button, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCheck, IconSend, IconX } from "@tabler/icons-react";
import { useWrite } from "../../shared/api/request.ts";
import type { Delivery, Integration } from "../../shared/api/types.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { DeliveryDetails } from "./DeliveryDetails.tsx";

/** A button that sends a test delivery to the receiver. A modal then shows the result. */
export function TestButton({ integration: { id } }: { integration: Integration }) {
  const { t } = useTranslation();
  const { failed } = useNotify();
  const [isShown, { open, close }] = useDisclosure(false);
  const test = useWrite("post", "/api/v1/integrations/{id}/test", {
    onSuccess: open,
    onError: failed,
  });
  return (
    <>
      <Button
        leftSection={<IconSend size={16} stroke={1.75} aria-hidden />}
        loading={test.isPending}
        onClick={() => test.mutate({ path: { id } })}
      >
        {t("integrations.test")}
      </Button>
      <Modal
        title={t("integrations.testResult")}
        opened={isShown}
        onClose={close}
        size="lg"
        closeButtonProps={{ "aria-label": t("common.close") }}
      >
        {test.data && <Result delivery={test.data} />}
      </Modal>
    </>
  );
}

function Result({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const hasSucceeded = delivery.status === "succeeded";
  const [attempt] = delivery.attemptLog;
  const Icon = hasSucceeded ? IconCheck : IconX;
  return (
    <Stack>
      <Alert
        color={hasSucceeded ? "green" : "red"}
        variant="light"
        icon={<Icon size={18} stroke={1.75} aria-hidden />}
      >
        <Text inherit fw={600}>
          {t(hasSucceeded ? "integrations.testSucceeded" : "integrations.testFailed")}
        </Text>
        {attempt?.error ??
          t("integrations.testAnswer", {
            status: attempt?.status,
            ms: number(attempt?.durationMs ?? 0),
          })}
      </Alert>
      <DeliveryDetails delivery={delivery} />
    </Stack>
  );
}
