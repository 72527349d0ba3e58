import { Alert, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { describeError } from "../api/describe-error.ts";

/** Tells what went wrong; announced to screen readers as soon as it appears (role=alert). */
export function ErrorAlert({ error, children }: { error: unknown; children?: ReactNode }) {
  const { message, reference } = describeError(error);
  return (
    <Alert color="red" variant="light">
      {message}
      {reference && (
        <Text size="xs" mt={4} c="dimmed">
          Reference: {reference}
        </Text>
      )}
      {children}
    </Alert>
  );
}
