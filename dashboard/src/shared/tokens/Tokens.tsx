import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { Schemas } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { ConfirmIdentity } from "../session/ConfirmIdentity.tsx";
import { CopyableCode } from "../ui/CopyableCode.tsx";
import { FormModal } from "../ui/FormModal.tsx";
import { OneTimeSecretModal } from "../ui/OneTimeSecretModal.tsx";
import { Loading } from "../ui/QueryView.tsx";
import { TokenForm } from "./TokenForm.tsx";
import { TokenList } from "./TokenList.tsx";
import type { TokenOwner } from "./token-requests.ts";
import { useTokenChoices } from "./use-token-choices.ts";

/** The tokens of an owner, with buttons to create and revoke them. */
export function Tokens({ owner }: { owner: TokenOwner }) {
  const { t } = useTranslation();
  const [isCreating, { open, close }] = useDisclosure(false);
  return (
    <>
      <TokenList of={owner && { serviceAccountId: owner.id }} owner={owner}>
        <Group>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
            onClick={open}
          >
            {t("tokens.new")}
          </Button>
        </Group>
      </TokenList>
      <CreateToken owner={owner} opened={isCreating} onClose={close} />
    </>
  );
}

interface Props {
  owner: TokenOwner;
  opened: boolean;
  onClose: () => void;
}

/** Creates a token. A second modal shows it, because the service returns it only once. */
function CreateToken({ owner, opened, onClose }: Props) {
  const { t } = useTranslation();
  const [created, setCreated] = useState<Schemas["CreatedToken"]>();
  return (
    <>
      <FormModal title={t("tokens.new")} opened={opened} onClose={onClose} size="lg">
        <LoadedForm
          owner={owner}
          onCreated={(token) => {
            onClose();
            setCreated(token);
          }}
          onCancel={onClose}
        />
      </FormModal>
      {created && (
        <OneTimeSecretModal
          title={t("apiKeys.isCreated", { name: created.name })}
          label={t("tokens.one")}
          secret={created.token}
          onClose={() => setCreated(undefined)}
        >
          <CopyableCode name={t("tokens.header")} code={`Authorization: Bearer ${created.token}`} />
        </OneTimeSecretModal>
      )}
    </>
  );
}

interface FormProps {
  owner: TokenOwner;
  onCreated: (token: Schemas["CreatedToken"]) => void;
  onCancel: () => void;
}

/** The form with the projects and environments that the owner sees. */
function LoadedForm({ owner, ...rest }: FormProps) {
  const choices = useTokenChoices(owner);
  if (!choices) return <Loading />;
  return (
    <ConfirmIdentity>
      {(confirmedUntil) => (
        <TokenForm owner={owner} choices={choices} confirmedUntil={confirmedUntil} {...rest} />
      )}
    </ConfirmIdentity>
  );
}
