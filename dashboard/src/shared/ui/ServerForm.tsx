import { Stack } from "@mantine/core";
import type { ReactNode, SubmitEventHandler } from "react";
import { ErrorAlert } from "./ErrorAlert.tsx";

interface Props {
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  pending: boolean;
  /** The error to display above the inputs. */
  error: unknown;
  children: ReactNode;
}

/** The form element for `useServerForm`. Displays its `error` above the inputs. */
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
