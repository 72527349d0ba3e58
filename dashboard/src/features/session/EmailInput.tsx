import { TextInput } from "@mantine/core";

/** Named `email`; the first field of its form. */
export function EmailInput({ defaultValue }: { defaultValue: string }) {
  return (
    <TextInput
      label="E-mail"
      name="email"
      // Not `type="email"`, which browsers rewrite to punycode: the service keeps addresses as typed.
      type="text"
      inputMode="email"
      defaultValue={defaultValue}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
      withAsterisk={false}
      autoFocus
      size="md"
    />
  );
}
