import { Button, Group, Stack, Text } from "@mantine/core";
import { IconFingerprint, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { read } from "../../shared/api/request.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { canUsePasskeys } from "../../shared/session/passkeys.ts";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import classes from "../../shared/ui/row-list.module.css";
import { RowActions } from "../../shared/ui/RowActions.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { useDialog } from "../../shared/ui/use-dialog.ts";
import { AddPasskey, type Passkey, RemovePasskey, RenamePasskey } from "./PasskeyForms.tsx";

type Step = { kind: "add" } | { kind: "rename" | "remove"; passkey: Passkey };

const TITLES = {
  add: "passkeys.add",
  rename: "passkeys.rename",
  remove: "passkeys.remove",
} as const;

/** The passkeys of the signed-in user, with buttons to add, rename and remove them. */
export function Passkeys() {
  const { t } = useTranslation();
  const passkeys = useQuery(read("/api/v1/auth/passkeys"));
  const { subject: step, isOpen, open: show, close } = useDialog<Step>();
  return (
    <>
      <QueryView query={passkeys}>
        {(loaded) => (
          <Stack gap="sm">
            {loaded.length === 0 ? (
              <Text size="sm" c="dimmed">
                {t("passkeys.none")}
              </Text>
            ) : (
              <ul className={classes.list}>
                {loaded.map((passkey) => (
                  <Row
                    key={passkey.id}
                    passkey={passkey}
                    onRename={() => show({ kind: "rename", passkey })}
                    onRemove={() => show({ kind: "remove", passkey })}
                  />
                ))}
              </ul>
            )}
            {canUsePasskeys() ? (
              <Group>
                <Button
                  variant="default"
                  leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
                  onClick={() => show({ kind: "add" })}
                >
                  {t("passkeys.add")}
                </Button>
              </Group>
            ) : (
              <Text size="sm">{t("session.passkeyUnavailable")}</Text>
            )}
          </Stack>
        )}
      </QueryView>
      <FormModal
        title={step ? t(TITLES[step.kind]) : ""}
        opened={isOpen}
        onClose={close}
        isConfirmation
      >
        {step?.kind === "add" && <AddPasskey onDone={close} />}
        {step?.kind === "rename" && <RenamePasskey passkey={step.passkey} onDone={close} />}
        {step?.kind === "remove" && <RemovePasskey passkey={step.passkey} onDone={close} />}
      </FormModal>
    </>
  );
}

interface RowProps {
  passkey: Passkey;
  onRename: () => void;
  onRemove: () => void;
}

function Row({ passkey: { name, createdAt, lastUsedAt, backedUp }, ...actions }: RowProps) {
  const { t } = useTranslation();
  const { date } = useFormat();
  return (
    <li className={classes.row}>
      <IconFingerprint size={20} stroke={1.75} aria-hidden />
      <div className={classes.words}>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {t("passkeys.since", { date: date(createdAt) })} ·{" "}
          {lastUsedAt === null ? (
            t("passkeys.neverUsed")
          ) : (
            <>
              {t("account.lastUsed")} <TimeAgo at={lastUsedAt} />
            </>
          )}
          {backedUp && <> · {t("passkeys.backedUp")}</>}
        </Text>
      </div>
      <RowActions
        edit={{ label: t("passkeys.renameOne", { name }), onClick: actions.onRename }}
        remove={{ label: t("passkeys.removeOne", { name }), onClick: actions.onRemove }}
      />
    </li>
  );
}
