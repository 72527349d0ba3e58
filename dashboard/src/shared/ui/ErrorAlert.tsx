import { Alert, Button, CopyButton, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { describeError } from "../api/describe-error.ts";
import { useTranslation } from "../i18n/use-translation.ts";

interface Props {
  error: unknown;
  onRetry?: (() => void) | undefined;
  children?: ReactNode;
}

/**
 * An alert with the message of a thrown error and, if the error has one, the trace id, which the
 * user can copy. Screen readers announce the alert immediately, because of `role="alert"`.
 */
export function ErrorAlert({ error, onRetry, children }: Props) {
  const { t, language } = useTranslation();
  const { message, traceId } = describeError(t, language, error);
  return (
    <Alert color="red" variant="light" role="alert">
      <span style={{ whiteSpace: "pre-line" }}>{message}</span>
      {children}
      {(traceId !== undefined || onRetry) && (
        <Group gap="xs" mt="xs">
          {onRetry && (
            <Button size="compact-sm" variant="default" onClick={onRetry}>
              {t("common.tryAgain")}
            </Button>
          )}
          {traceId !== undefined && <TraceId id={traceId} />}
        </Group>
      )}
    </Alert>
  );
}

export function TraceId({ id }: { id: string }) {
  const { t } = useTranslation();
  return (
    <Group gap={6}>
      <Text size="xs" component="span" inherit={false}>
        {t("errors.trace")}{" "}
        <Text span ff="monospace" size="xs">
          {id}
        </Text>
      </Text>
      <CopyButton value={id}>
        {({ copied, copy }) => (
          <Button
            size="compact-sm"
            variant="default"
            onClick={copy}
            aria-label={t("errors.copyTrace")}
          >
            {copied ? t("common.copied") : t("common.copy")}
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}
