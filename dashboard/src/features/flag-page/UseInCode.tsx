import type { KeyType } from "@feature-flags/permissions/permissions";
import { Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Flag } from "../../shared/api/types.ts";
import { KeyTypeChoice } from "../../shared/api-keys/KeyTypeChoice.tsx";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { SdkSnippets } from "../../shared/sdk-snippets/SdkSnippets.tsx";
import { LinkAnchor } from "../../shared/ui/links.tsx";

interface Props {
  flag: Flag;
  opened: boolean;
  onClose: () => void;
}

/** A dialog with the code with which an application reads this flag, in each language. */
export function UseInCode({ flag, opened, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="xl"
      title={t("flagPage.useInCodeTitle", { flag: flag.name })}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Examples flag={flag} />
    </Modal>
  );
}

function Examples({ flag }: { flag: Flag }) {
  const { t } = useTranslation();
  const [keyType, setKeyType] = useState<KeyType>("SERVER");
  const { projectId } = flag;
  return (
    <Stack>
      <KeyTypeChoice label={t("flagPage.whereCodeRuns")} value={keyType} onChange={setKeyType} />
      <Text size="sm">
        <Trans
          i18nKey="flagPage.insertKey"
          components={{
            keys: <LinkAnchor inherit to="/projects/$projectId/api-keys" params={{ projectId }} />,
          }}
        />
      </Text>
      <SdkSnippets key={keyType} apiKey={t("start.yourKey")} keyType={keyType} flag={flag} />
    </Stack>
  );
}
