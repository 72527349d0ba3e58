import { Modal, Text } from "@mantine/core";
import { SignInForm } from "./SignInForm.tsx";

/** Over the page whose session has ended; behind it everything stays as it was typed. */
export function SignInAgain({ email }: { email: string }) {
  return (
    <Modal
      opened
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      onClose={() => {}}
      title="Your session has ended"
    >
      <Text size="sm" mb="md">
        Sign in to go on where you were. Nothing that you typed is lost.
      </Text>
      <SignInForm email={email} onForgotten={() => {}} onSecondFactor={() => {}} />
    </Modal>
  );
}
