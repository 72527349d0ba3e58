import { Alert, Button, Stack } from "@mantine/core";

interface Props {
  children: string;
  /** The text of the button. */
  load: string;
  onLoad: () => void;
}

/**
 * A notice that another user has saved what this user is editing, with a button that loads the saved
 * version.
 */
export function ChangedMeanwhile({ children, load, onLoad }: Props) {
  return (
    <Alert color="yellow" role="alert">
      <Stack gap="xs" align="flex-start">
        {children}
        <Button size="compact-sm" variant="default" onClick={onLoad}>
          {load}
        </Button>
      </Stack>
    </Alert>
  );
}
