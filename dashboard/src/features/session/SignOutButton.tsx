import { Button } from "@mantine/core";
import { useTransition } from "react";
import { signOut } from "./sign-out.ts";

export function SignOutButton() {
  const [pending, startSignOut] = useTransition();
  return (
    <Button variant="default" loading={pending} onClick={() => startSignOut(signOut)}>
      Sign out
    </Button>
  );
}
