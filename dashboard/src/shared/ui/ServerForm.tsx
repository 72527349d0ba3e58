import { Stack } from "@mantine/core";
import type { ReactNode, SubmitEventHandler } from "react";
import { ErrorAlert } from "./ErrorAlert.tsx";

interface Props {
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  pending: boolean;
  /** What has no field to stand at. */
  error: unknown;
  children: ReactNode;
}

/** A form that `useServerForm` sends: the fields below each other, below what was refused. */
export function ServerForm({ onSubmit, pending, error, children }: Props) {
  return (
    <form onSubmit={onSubmit} noValidate aria-busy={pending}>
      <Stack>
        {error !== undefined && <ErrorAlert error={error} />}
        {children}
      </Stack>
    </form>
  );
}
