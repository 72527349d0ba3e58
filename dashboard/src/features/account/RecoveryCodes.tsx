import { Button, Group, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { saveText } from "../../shared/save-text.ts";
import { useCurrentSession } from "../../shared/session/current-session.tsx";
import { CopyText } from "../../shared/ui/CopyText.tsx";
import classes from "./RecoveryCodes.module.css";
import { DialogFooter } from "../../shared/ui/DialogFooter.tsx";

interface Props {
  codes: readonly string[];
  onDone: () => void;
}

/** Shows new recovery codes, which the service returns only once. */
export function RecoveryCodes({ codes, onDone }: Props) {
  const { t } = useTranslation();
  const { date } = useFormat();
  const { user } = useCurrentSession();
  const download = () => {
    const title = `${t("common.product")}: ${t("account.codes")}`;
    const lines = [title, user.email, date(new Date().toISOString()), "", ...codes, ""];
    saveText("feature-flags-recovery-codes.txt", lines.join("\n"));
  };
  return (
    <Stack>
      <Text size="sm">{t("account.codesText")}</Text>
      <ul className={classes.codes} aria-label={t("account.codes")}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="xs">
        <CopyText size="compact-sm" value={codes.join("\n")} label={t("account.codesCopy")} />
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={download}
        >
          {t("account.codesDownload")}
        </Button>
      </Group>
      <DialogFooter>
        <Button onClick={onDone} data-autofocus>
          {t("account.codesKept")}
        </Button>
      </DialogFooter>
    </Stack>
  );
}
