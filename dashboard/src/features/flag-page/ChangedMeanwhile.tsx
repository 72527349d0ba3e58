import { Alert, Button, Stack } from "@mantine/core";

interface Props {
  children: string;
  load: string;
  onLoad: () => void;
}

/** Another user has saved what this user is editing. The button loads the saved version. */
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
