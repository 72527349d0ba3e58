import { Paper, Text, Title } from "@mantine/core";
import { BrandMark } from "../../shared/ui/BrandMark.tsx";
import { SignInForm } from "./SignInForm.tsx";
import classes from "./SignInPage.module.css";

export function SignInPage() {
  return (
    <main className={classes.page}>
      <div className={classes.column}>
        <div className={classes.brand}>
          <BrandMark size={48} />
          <Title order={1} size="h2">
            Feature Flags
          </Title>
          <Text c="dimmed">Sign in to your account</Text>
        </div>
        <Paper withBorder radius="md" p="lg" shadow="xs">
          <SignInForm />
        </Paper>
      </div>
    </main>
  );
}
