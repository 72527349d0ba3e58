import { Alert, Paper } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ProviderOutcomeAlert } from "../../shared/session/ProviderOutcomeAlert.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { CodeForm } from "./CodeForm.tsx";
import { Decision } from "./Decision.tsx";
import type { DeviceLogin } from "./device-requests.ts";

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
