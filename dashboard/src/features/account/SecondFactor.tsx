import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useWrite } from "../../shared/api/request.ts";
import type { Schemas } from "../../shared/api/types.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCurrentSession } from "../../shared/session/current-session.tsx";
import { isPast } from "../../shared/time.ts";
import { mfaQuery } from "../../shared/session/mfa-query.ts";
import { updateDeadline } from "../../shared/session/update-session.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { useDialog } from "../../shared/ui/use-dialog.ts";
import { MfaForm, MfaEnrolment, RecoveryCodes } from "./MfaForms.tsx";

type Status = Schemas["MfaStatus"];

/**
 * The open dialog: ask for the password before the setup (`begin`), set up the second factor
 * (`enrol`), renew the recovery codes (`renew`), turn the second factor off (`disable`), or show new
 * recovery codes (`codes`).
 */
type Step =
  | { kind: "enrol"; enrolment: Schemas["MfaEnrolment"] }
  | { kind: "begin" | "renew" | "disable" }
  | { kind: "codes"; codes: readonly string[] };

const TITLES = {
  begin: "account.mfaSetUp",
  enrol: "account.mfaSetUp",
  renew: "account.codesRenew",
  disable: "account.mfaTurnOff",
  codes: "account.codes",
} as const;

export function SecondFactor() {
  const { t } = useTranslation();
  const { done } = useNotify();
  const { user } = useCurrentSession();
  const mfa = useQuery(mfaQuery);
  const { subject: step, isOpen, open: show, close } = useDialog<Step>();

  const begin = useWrite("post", "/api/v1/auth/mfa/enroll");
  const turnOn = useWrite("post", "/api/v1/auth/mfa/activate");
  const renew = useWrite("post", "/api/v1/auth/mfa/recovery-codes");
  const turnOff = useWrite("post", "/api/v1/auth/mfa/disable");
  const showCodes = ({ recoveryCodes: codes }: Schemas["RecoveryCodes"]) =>
    show({ kind: "codes", codes });

  return (
    <>
      <QueryView query={mfa}>
        {(status) => (
          <Stack>
            <State status={status} />
            {status.mfaEnrollmentDeadline !== null && (
              <Deadline deadline={status.mfaEnrollmentDeadline} />
            )}
            <Group gap="xs">
              {status.enabled ? (
                <>
                  <Button variant="default" onClick={() => show({ kind: "renew" })}>
                    {t("account.codesRenew")}
                  </Button>
                  <Button variant="light" color="red" onClick={() => show({ kind: "disable" })}>
                    {t("account.mfaTurnOff")}
                  </Button>
                </>
              ) : (
                // The German label needs two lines on a phone.
                <Button
                  h="auto"
                  mih={36}
                  py={6}
                  styles={{ label: { whiteSpace: "normal" } }}
                  onClick={() => show({ kind: "begin" })}
                >
                  {t("account.mfaSetUp")}
                </Button>
              )}
            </Group>
          </Stack>
        )}
      </QueryView>
      <FormModal
        title={step ? t(TITLES[step.kind]) : ""}
        opened={isOpen}
        isOneTime={step?.kind === "codes"}
        onClose={close}
        isConfirmation
      >
        {step?.kind === "begin" && (
          <MfaForm
            label={t("account.mfaContinue")}
            asks="password"
            onValues={async ({ code: _none, ...confirmation }) =>
              show({ kind: "enrol", enrolment: await begin.mutateAsync({ body: confirmation }) })
            }
          >
            {t("account.mfaPasswordText")}
          </MfaForm>
        )}
        {step?.kind === "enrol" && (
          <MfaEnrolment
            enrolment={step.enrolment}
            onCode={async (code) => {
              showCodes(await turnOn.mutateAsync({ body: { code } }));
              done(t("account.mfaTurnedOn"));
              await updateDeadline(user.id);
            }}
          />
        )}
        {step?.kind === "renew" && (
          <MfaForm
            label={t("account.codesRenew")}
            asks="password and code"
            onValues={async (values) => showCodes(await renew.mutateAsync({ body: values }))}
          >
            {t("account.codesRenewText")}
          </MfaForm>
        )}
        {step?.kind === "disable" && (
          <MfaForm
            label={t("account.mfaTurnOff")}
            asks="password and code"
            isDangerous
            onValues={async (values) => {
              await turnOff.mutateAsync({ body: values });
              close();
              done(t("account.mfaTurnedOff"));
              await updateDeadline(user.id);
            }}
          >
            {t("account.mfaTurnOffText")}
          </MfaForm>
        )}
        {step?.kind === "codes" && <RecoveryCodes codes={step.codes} onDone={close} />}
      </FormModal>
    </>
  );
}

function State({ status: { enabled, recoveryCodesLeft } }: { status: Status }) {
  const { t } = useTranslation();
  return (
    <Group gap="sm">
      {enabled && (
        <Badge color="green" variant="dot">
          {t("common.on")}
        </Badge>
      )}
      <Text size="sm">
        {enabled ? t("account.codesLeft", { count: recoveryCodesLeft }) : t("account.mfaOff")}
      </Text>
    </Group>
  );
}

function Deadline({ deadline }: { deadline: string }) {
  const { t } = useTranslation();
  const { dateTime, relative } = useFormat();
  return (
    <Text size="sm" fw={500}>
      {isPast(deadline)
        ? t("account.mfaOverdue")
        : t("account.mfaDue", { date: dateTime(deadline), when: relative(deadline) })}
    </Text>
  );
}
