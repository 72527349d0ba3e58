import { Alert, Paper, Button, Group, TextInput } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useWrite } from "../../shared/api/request.ts";
import { rewordError } from "../../shared/api/reword-error.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ProviderOutcomeAlert } from "../../shared/session/ProviderOutcomeAlert.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { Decision, type DeviceLogin } from "./Decision.tsx";

const route = getRouteApi("/device");

type Step =
  | { kind: "code" }
  | { kind: "decision"; userCode: string; login: DeviceLogin }
  | { kind: "done"; login: DeviceLogin };

/**
 * The page on which a user approves a login on a device without a browser (RFC 8628). A code in the URL
 * only fills the input: the user must compare it with the code on the device, because anybody can send a
 * link.
 */
export function DevicePage() {
  const { t } = useTranslation();
  const { code = "", ...outcome } = route.useSearch();
  const [step, setStep] = useState<Step>({ kind: "code" });
  return (
    <>
      <PageHeader title={t("device.title")} description={t("device.intro")} />
      <ProviderOutcomeAlert {...outcome} />
      {step.kind === "done" ? (
        <Done login={step.login} />
      ) : (
        <Paper withBorder radius="md" p="lg" maw="44rem">
          {step.kind === "code" ? (
            <CodeForm
              code={code}
              onFound={(userCode, login) => setStep({ kind: "decision", userCode, login })}
            />
          ) : (
            <Decision
              userCode={step.userCode}
              login={step.login}
              onDecided={(login) => setStep({ kind: "done", login })}
            />
          )}
        </Paper>
      )}
    </>
  );
}

function Done({ login: { status, clientName } }: { login: DeviceLogin }) {
  const { t } = useTranslation();
  const isApproved = status === "approved";
  return (
    <Alert
      role="status"
      color={isApproved ? "green" : "gray"}
      title={t(isApproved ? "device.approved" : "device.denied")}
    >
      {t(isApproved ? "device.approvedText" : "device.deniedText", { name: clientName })}
    </Alert>
  );
}

interface Props {
  /** The initial value of the input. */
  code: string;
  onFound: (userCode: string, login: DeviceLogin) => void;
}

/** The input for the code that the device shows. */
function CodeForm({ code, onFound }: Props) {
  const { t } = useTranslation();
  const find = useWrite("post", "/api/v1/auth/device/lookup");
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { userCode: code },
      validate: { userCode: isNotEmpty(t("common.required")) },
    },
    submit: async ({ userCode }) => {
      const login = await rewordError(find.mutateAsync({ body: { userCode } }), {
        codes: { NOT_FOUND: t("device.unknown") },
        fields: { userCode: t("device.codeRule") },
      });
      onFound(userCode, login);
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <TextInput
        label={t("device.code")}
        description={t("device.codeHint")}
        required
        autoFocus
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        maw="20rem"
        {...form.getInputProps("userCode")}
      />
      <Group>
        <Button type="submit" loading={pending}>
          {t("device.continue")}
        </Button>
      </Group>
    </ServerForm>
  );
}
