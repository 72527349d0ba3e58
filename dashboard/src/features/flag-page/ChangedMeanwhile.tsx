import { Alert, Button, Stack } from "@mantine/core";

interface Props {
  children: string;
  load: string;
  onLoad: () => void;
}

/**
 * Says that another user has saved the values that this user is editing. A button loads the saved
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
