import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "../i18n/use-translation.ts";
import { CreateToken } from "./CreateToken.tsx";
import { TokenList } from "./TokenList.tsx";
import type { TokenOwner } from "./token-requests.ts";

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
