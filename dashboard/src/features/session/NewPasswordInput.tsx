import { PasswordInput } from "@mantine/core";

const MIN_LENGTH = 8;

/**
 * Named `password`. No `maxLength`, which would cut a pasted password without a word; the server
 * refuses one that is too long.
 */
export function NewPasswordInput({
  label,
  fault,
  autoFocus = false,
}: {
  label: string;
  fault: string | undefined;
  autoFocus?: boolean;
}) {
  return (
    <PasswordInput
      label={label}
      description={`${MIN_LENGTH} to 128 characters, and neither your e-mail address nor the part before its @.`}
      name="password"
      autoComplete="new-password"
      required
      minLength={MIN_LENGTH}
      withAsterisk={false}
      autoFocus={autoFocus}
      error={fault}
      aria-invalid={fault !== undefined}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ "aria-label": "Show password" }}
      size="md"
    />
  );
}
