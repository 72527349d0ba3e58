import { Alert } from "@mantine/core";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import type { Notice } from "./sign-in.ts";

/** The message above a sign-in form. A problem is red, and screen readers announce it at once. */
export function SignInNotice({ notice }: { notice: Notice }) {
  const { t } = useTranslation();
  const isProblem = notice.startsWith("problems.");
  return (
    <Alert mb="md" {...(isProblem ? { color: "red", role: "alert" } : { role: "status" })}>
      {t(`session.${notice}`)}
    </Alert>
  );
}
